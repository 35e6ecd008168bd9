//! The program that fills environments: uv when it is there, else pip.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    interpreter::Interpreter,
    step::{Step, StepError},
};
use crate::{
    host::InstallerSettings,
    process::{Environment, find_program},
};

/// Only finished packages: building one would run its code.
const WHEELS_ONLY: [&str; 2] = ["--only-binary", ":all:"];

/// An installer and the rules it runs under.
#[derive(Debug, Clone)]
pub(super) struct Installer {
    kind: Kind,
    version: String,
    environment: Environment,
    settings: InstallerSettings,
    cache: PathBuf,
}

#[derive(Debug, Clone)]
enum Kind {
    Uv(PathBuf),
    /// The interpreter's own pip, which can install into another environment.
    Pip,
    /// A pip that each environment brings along; slow.
    OwnPip,
}

/// Where one environment is being built.
#[derive(Debug)]
pub(super) struct Site<'a> {
    /// A scratch folder: home of the installer, input and result.
    pub folder: &'a Path,
    /// The requirements, one a line; `None` leaves the environment empty.
    pub requirements: Option<&'a Path>,
}

impl Site<'_> {
    /// The environment itself.
    pub(super) fn environment(&self) -> PathBuf {
        self.folder.join("env")
    }

    fn python(&self) -> PathBuf {
        self.environment().join("bin/python")
    }
}

impl Installer {
    pub(super) async fn find(
        interpreter: &Interpreter,
        environment: &Environment,
        settings: &InstallerSettings,
        cache: PathBuf,
    ) -> Self {
        let found = |kind, version: &str| Self {
            kind,
            version: version.trim().to_owned(),
            environment: environment.clone(),
            settings: settings.clone(),
            cache,
        };
        if let Some(uv) = find_program(environment, "uv") {
            let step = Step::new(&uv).args(["--version"]).envs(environment.for_worker());
            if let Ok(version) = step.run(super::PROBE_LIMIT).await {
                return found(Kind::Uv(uv), &version);
            }
        }
        match &interpreter.pip {
            Some(version) if is_new_enough(version) => found(Kind::Pip, &format!("pip {version}")),
            _ => found(Kind::OwnPip, "bundled pip"),
        }
    }

    /// Name and version, and everything else that changes what it installs.
    pub(super) fn identity(&self) -> String {
        format!(
            "{} {:?} {:?}",
            self.version, self.settings.index_url, self.settings.find_links
        )
    }

    /// Its name for people.
    pub(super) fn name(&self) -> &str {
        match self.kind {
            Kind::Uv(_) => "uv",
            Kind::Pip | Kind::OwnPip => "pip",
        }
    }

    /// Makes an environment and fills it.
    pub(super) async fn build(&self, interpreter: &Interpreter, site: &Site<'_>) -> Result<(), StepError> {
        for step in self.steps(interpreter, site) {
            let limit = self.settings.time_limit;
            step.envs(self.variables(site)).run(limit).await?;
        }
        Ok(())
    }

    fn steps(&self, interpreter: &Interpreter, site: &Site<'_>) -> Vec<Step> {
        let python = || interpreter.program.as_path();
        let environment = site.environment();
        let mut steps = Vec::new();
        match &self.kind {
            Kind::Uv(uv) => {
                let step = || Step::new(uv).args(["--no-config", "--quiet"]);
                steps.push(
                    step()
                        .args(["venv", "--relocatable", "--python"])
                        .args([python(), &environment]),
                );
                if let Some(requirements) = site.requirements {
                    let lock = environment.join("requirements.lock");
                    let compile = step()
                        .args(["pip", "compile", "--generate-hashes"])
                        .args(WHEELS_ONLY);
                    steps.push(
                        compile
                            .arg_pair("--python", site.python())
                            .arg_pair("--output-file", &lock)
                            .args([requirements]),
                    );
                    let sync = step().args([
                        "pip",
                        "sync",
                        "--require-hashes",
                        "--compile-bytecode",
                        "--link-mode",
                        "copy",
                    ]);
                    steps.push(
                        sync.args(WHEELS_ONLY)
                            .arg_pair("--python", site.python())
                            .args([&lock]),
                    );
                }
            }
            Kind::Pip | Kind::OwnPip => {
                let own = matches!(self.kind, Kind::OwnPip) && site.requirements.is_some();
                let without: &[&str] = if own { &[] } else { &["--without-pip"] };
                steps.push(
                    Step::new(python())
                        .args(["-I", "-m", "venv"])
                        .args(without)
                        .args([&environment]),
                );
                if let Some(requirements) = site.requirements {
                    let pip = if own {
                        Step::new(&site.python()).args(["-I", "-m", "pip"])
                    } else {
                        Step::new(python())
                            .args(["-I", "-m", "pip"])
                            .arg_pair("--python", site.python())
                    };
                    let install = pip.args(["install", "--no-input", "--progress-bar", "off", "--compile"]);
                    steps.push(install.args(WHEELS_ONLY).arg_pair("--requirement", requirements));
                }
            }
        }
        steps
    }

    /// The environment of the installer: nothing of ours but the search path, proxies and certificates.
    fn variables(&self, site: &Site<'_>) -> Vec<(OsString, OsString)> {
        let mut all: Vec<(OsString, OsString)> = self
            .environment
            .for_installer()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        let mut set = |name: &str, value: OsString| all.push((name.into(), value));
        set("HOME", site.folder.into());
        set("TMPDIR", site.folder.into());
        set("PIP_CONFIG_FILE", "/dev/null".into());
        set("PIP_DISABLE_PIP_VERSION_CHECK", "1".into());
        set("PIP_CACHE_DIR", self.cache.join("pip").into());
        set("UV_CACHE_DIR", self.cache.join("uv").into());
        set("UV_PYTHON_DOWNLOADS", "never".into());
        if let Some(index) = &self.settings.index_url {
            set("PIP_INDEX_URL", index.into());
            set("UV_DEFAULT_INDEX", index.into());
        }
        if let Some(folder) = &self.settings.find_links {
            set("PIP_FIND_LINKS", folder.into());
            set("UV_FIND_LINKS", folder.into());
        }
        all
    }
}

/// Whether pip can install into another environment (22.3).
fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= (22, 3),
        _ => false,
    }
}

/// How long all steps of one build may take together, at most.
pub(super) fn longest_build(limit: Duration) -> Duration {
    limit * 3
}
