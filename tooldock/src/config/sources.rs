//! Where a setting comes from: a flag before the environment, the environment before the file, the file before the default.

use std::{collections::BTreeMap, ffi::OsString, fmt};

use super::Environment;

/// Where the value of a setting comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The command line.
    Flag,
    /// The environment.
    Environment,
    /// `config.yaml` in the data folder.
    File,
    /// Nobody has set it.
    Default,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flag => "flag",
            Self::Environment => "environment",
            Self::File => "config.yaml",
            Self::Default => "default",
        })
    }
}

/// The three places in which settings may stand, in the order in which they count.
pub struct Sources<'a> {
    /// What the command line says.
    pub flags: BTreeMap<String, String>,
    /// The environment.
    pub environment: &'a dyn Environment,
    /// What the file says.
    pub file: BTreeMap<String, String>,
}

impl<'a> Sources<'a> {
    /// Flags, the environment, and the file in the data folder that these two name; also gives the whole file.
    ///
    /// # Errors
    /// Every mistake in the file.
    #[cfg(feature = "worker")]
    pub fn load(
        flags: BTreeMap<String, String>,
        environment: &'a dyn Environment,
    ) -> Result<(Self, super::ConfigFile), super::Mistakes> {
        let mut sources = Self {
            flags,
            environment,
            file: BTreeMap::new(),
        };
        let default = super::SETTINGS
            .iter()
            .find(|setting| setting.name == "DATA_DIR")
            .map(|setting| setting.default);
        let set = sources.find("DATA_DIR").ok().flatten().map(|(folder, _)| folder);
        let folder = set.unwrap_or_else(|| default.unwrap_or_default().to_owned());
        let file = super::ConfigFile::read(std::path::Path::new(&folder))?;
        sources.file.clone_from(&file.settings);
        Ok((sources, file))
    }

    /// The environment alone.
    pub fn environment(environment: &'a dyn Environment) -> Self {
        Self {
            flags: BTreeMap::new(),
            environment,
            file: BTreeMap::new(),
        }
    }

    /// The text of a setting and where it comes from. An empty text is none.
    ///
    /// # Errors
    /// The raw value, when it is not UTF-8.
    pub fn find(&self, name: &str) -> Result<Option<(String, Source)>, OsString> {
        let places = [
            (self.flags.get(name).cloned(), Source::Flag),
            (self.environment.get(name)?, Source::Environment),
            (self.file.get(name).cloned(), Source::File),
        ];
        let set =
            |(text, source): (Option<String>, Source)| Some((text.filter(|text| !text.is_empty())?, source));
        Ok(places.into_iter().find_map(set))
    }
}

impl fmt::Debug for Sources<'_> {
    /// The environment may hold secrets, so nothing of it is shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sources")
            .field("flags", &self.flags)
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}
