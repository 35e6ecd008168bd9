//! The program that fills environments: uv when it is there, else pip.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{interpreter::Interpreter, site::Site, step::Step};
use crate::{
    host::InstallerSettings,
    process::{Environment, find_program},
};

/// An installer and the rules it runs under.
#[derive(Debug, Clone)]
pub(super) struct Installer {
    pub(super) kind: Kind,
    version: String,
    environment: Environment,
    pub(super) settings: InstallerSettings,
    cache: PathBuf,
}

#[derive(Debug, Clone)]
pub(super) enum Kind {
    Uv(PathBuf),
    /// The interpreter's own pip, which can install into another environment.
    Pip,
    /// A pip that each environment brings along; slow.
    OwnPip,
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
        let settings = &self.settings;
        format!(
            "{} {:?} {:?} {}",
            self.version, settings.index_url, settings.find_links, settings.source_builds
        )
    }

    /// Its name for people.
    pub(super) fn name(&self) -> &str {
        match self.kind {
            Kind::Uv(_) => "uv",
            Kind::Pip | Kind::OwnPip => "pip",
        }
    }

    /// What installations share.
    pub(super) fn cache(&self) -> &Path {
        &self.cache
    }

    /// The environment of the installer: nothing of ours but the search path, proxies and certificates.
    pub(super) fn variables(&self, site: &Site<'_>) -> Vec<(OsString, OsString)> {
        let mut all: Vec<(OsString, OsString)> = self
            .environment
            .for_installer()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        let mut set = |name: &str, value: OsString| all.push((name.into(), value));
        set("HOME", site.folder().into());
        set("TMPDIR", site.folder().into());
        set("PIP_CONFIG_FILE", "/dev/null".into());
        set("PIP_DISABLE_PIP_VERSION_CHECK", "1".into());
        set("PIP_CACHE_DIR", self.cache.join("pip").into());
        set("UV_CACHE_DIR", self.cache.join("uv").into());
        set("UV_PYTHON_DOWNLOADS", "never".into());
        if self.settings.offline {
            set("PIP_NO_INDEX", "1".into());
            set("UV_OFFLINE", "1".into());
        }
        if let Some(index) = &self.settings.index_url {
            set("PIP_INDEX_URL", index.into());
            set("UV_DEFAULT_INDEX", index.into());
        }
        if let Some(folder) = &self.settings.find_links {
            let address = file_url(folder);
            set("PIP_FIND_LINKS", address.clone().into());
            set("UV_FIND_LINKS", address.into());
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
    limit * 4
}

/// A folder as an address: installers take a list, and part it where a path has spaces or commas.
fn file_url(folder: &Path) -> String {
    let bytes = folder.as_os_str().as_encoded_bytes().iter().copied();
    let encoded = bytes.map(|byte| match byte {
        b'/' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    format!("file://{}", encoded.collect::<String>())
}
