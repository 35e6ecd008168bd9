//! The steps of one installation.

use std::path::Path;

use tokio::fs;

use super::{
    growth::Growth,
    installer::{Installer, Kind},
    interpreter::Interpreter,
    site::Site,
    step::{Step, StepError},
};
use crate::{
    disk::{Lock, Packages, Project, Requirements},
    sandbox::Limits,
};

/// What a step that met one of its bounds says, and the setting of that bound.
const BOUNDS: [(&str, &str); 5] = [
    ("did not end within", "INSTALL_TIMEOUT_SECONDS"),
    ("MemoryError", "INSTALL_MEMORY_MB"),
    ("memory allocation", "INSTALL_MEMORY_MB"),
    ("File too large", "INSTALL_DISK_MB"),
    ("SIGXFSZ", "INSTALL_DISK_MB"),
];

/// Only finished packages: building one would run its code.
const WHEELS_ONLY: [&str; 2] = ["--only-binary", ":all:"];

impl Installer {
    /// Makes an environment and fills it, within what an installation may take of the disk.
    pub(super) async fn build(
        &self,
        interpreter: &Interpreter,
        site: &Site<'_>,
        packages: &Packages,
    ) -> Result<(), StepError> {
        let growth = Growth::begin([site.folder(), self.cache()], self.settings.disk).await;
        tokio::select! {
            biased;
            built = self.fill(interpreter, site, packages) => built?,
            () = growth.too_large() => return Err(self.too_much()),
        }
        match growth.is_too_large().await {
            true => Err(self.too_much()),
            false => Ok(()),
        }
    }

    fn too_much(&self) -> StepError {
        let most = self.settings.disk >> 20;
        StepError::new(format!(
            "it took more than {most} MiB of the disk and was stopped; INSTALL_DISK_MB sets how much it may take"
        ))
    }

    async fn fill(
        &self,
        interpreter: &Interpreter,
        site: &Site<'_>,
        packages: &Packages,
    ) -> Result<(), StepError> {
        let base = interpreter.program.as_path();
        match &self.kind {
            Kind::Uv(uv) => {
                let venv = self.uv(uv).args(["venv", "--relocatable", "--python"]);
                self.run(venv.args([base, &site.environment()]), site).await?;
                self.fill_by_uv(uv, site, packages).await
            }
            Kind::Pip | Kind::OwnPip => {
                let own = matches!(self.kind, Kind::OwnPip) && !packages.is_empty();
                let without: &[&str] = if own { &[] } else { &["--without-pip"] };
                let venv = Step::new(base).args(["-I", "-m", "venv"]).args(without);
                self.run(venv.args([site.environment()]), site).await?;
                let pip = match own {
                    true => Step::new(&site.python()).args(["-I", "-m", "pip"]),
                    false => Step::new(base)
                        .args(["-I", "-m", "pip"])
                        .arg_pair("--python", site.python()),
                };
                self.fill_by_pip(pip, site, packages).await
            }
        }
    }

    async fn fill_by_uv(&self, uv: &Path, site: &Site<'_>, packages: &Packages) -> Result<(), StepError> {
        match packages {
            Packages::Asked(asked) if asked.is_empty() => return Ok(()),
            Packages::Asked(asked) => self.resolve(uv, site, asked).await?,
            Packages::Locked(lock) => write(&site.lock(), &lock.to_string()).await?,
            Packages::Project(project) => {
                let lock = self.export(uv, site, project).await?;
                write(&site.lock(), &lock.to_string()).await?;
            }
        }
        let sync = self
            .uv(uv)
            .args(["pip", "sync", "--require-hashes", "--compile-bytecode"]);
        let sync = sync.args(["--link-mode", "copy"]).args(self.forms());
        self.run(sync.arg_pair("--python", site.python()).args([site.lock()]), site)
            .await
    }

    /// Finds the versions of everything that is asked for, and writes them down with their hashes.
    async fn resolve(&self, uv: &Path, site: &Site<'_>, asked: &Requirements) -> Result<(), StepError> {
        write(&site.wanted(), &asked.to_string()).await?;
        let compile = self
            .uv(uv)
            .args(["pip", "compile", "--generate-hashes"])
            .args(self.forms());
        let compile = compile
            .arg_pair("--python", site.python())
            .arg_pair("--output-file", site.lock());
        self.run(compile.args([site.wanted()]), site).await
    }

    /// The lock of a project, which must hold packages of the index only.
    async fn export(&self, uv: &Path, site: &Site<'_>, project: &Project) -> Result<Lock, StepError> {
        let folder = site.project();
        fs::create_dir(&folder)
            .await
            .map_err(|error| StepError::new(error.to_string()))?;
        write(&folder.join("pyproject.toml"), &project.project).await?;
        write(&folder.join("uv.lock"), &project.lock).await?;
        let export = self.uv(uv).args([
            "export",
            "--frozen",
            "--no-dev",
            "--no-emit-project",
            "--no-annotate",
            "--no-header",
        ]);
        let export = export
            .arg_pair("--project", &folder)
            .arg_pair("--output-file", site.wanted());
        self.run(export, site).await?;
        let text = fs::read_to_string(site.wanted())
            .await
            .map_err(|error| StepError::new(error.to_string()))?;
        let lock = text.parse();
        lock.map_err(|error| {
            StepError::new(format!(
                "`uv.lock` holds what is no package of the index: {error}"
            ))
        })
    }

    async fn fill_by_pip(&self, pip: Step, site: &Site<'_>, packages: &Packages) -> Result<(), StepError> {
        let install = pip
            .args(["install", "--no-input", "--progress-bar", "off", "--compile"])
            .args(self.forms());
        let install = match packages {
            Packages::Asked(asked) if asked.is_empty() => return Ok(()),
            Packages::Asked(asked) => {
                write(&site.wanted(), &asked.to_string()).await?;
                install.arg_pair("--requirement", site.wanted())
            }
            Packages::Locked(lock) => {
                write(&site.lock(), &lock.to_string()).await?;
                install
                    .args(["--require-hashes", "--no-deps"])
                    .arg_pair("--requirement", site.lock())
            }
            Packages::Project(_) => {
                let text =
                    "`uv.lock` needs uv; install it where the gateway runs, or write a `requirements.lock`";
                return Err(StepError::new(text.to_owned()));
            }
        };
        self.run(install, site).await
    }

    fn uv(&self, uv: &Path) -> Step {
        Step::new(uv).args(["--no-config", "--quiet"])
    }

    /// Which forms a package may have.
    fn forms(&self) -> &'static [&'static str] {
        if self.settings.source_builds {
            &[]
        } else {
            &WHEELS_ONLY
        }
    }

    async fn run(&self, step: Step, site: &Site<'_>) -> Result<(), StepError> {
        let settings = &self.settings;
        let step = step
            .envs(self.variables(site))
            .limits(Limits::of_installer(settings.memory, settings.disk));
        let ran = step.run(settings.time_limit).await;
        ran.map(drop).map_err(|error| error.with_setting(&BOUNDS))
    }
}

async fn write(path: &Path, text: &str) -> Result<(), StepError> {
    let written = fs::write(path, text).await;
    written.map_err(|error| StepError::new(format!("`{}`: {error}", path.display())))
}
