//! Where settings are read from.

use std::{collections::BTreeMap, ffi::OsString};

/// A set of named texts. Tests give a map; the program gives its own environment.
pub trait Environment {
    /// The text called `name`; `Err` when it is no UTF-8.
    ///
    /// # Errors
    /// The raw value, when it is not UTF-8.
    fn get(&self, name: &str) -> Result<Option<String>, OsString>;

    /// Everything that is UTF-8; workers and installers inherit a few names of it.
    fn all(&self) -> BTreeMap<String, String>;
}

/// The environment of this process. The only place that reads it.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProcessEnvironment;

impl Environment for ProcessEnvironment {
    #[expect(clippy::disallowed_methods, reason = "this is the one place")]
    fn get(&self, name: &str) -> Result<Option<String>, OsString> {
        std::env::var_os(name).map(OsString::into_string).transpose()
    }

    #[expect(clippy::disallowed_methods, reason = "this is the one place")]
    fn all(&self) -> BTreeMap<String, String> {
        std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect()
    }
}

impl Environment for BTreeMap<String, String> {
    fn get(&self, name: &str) -> Result<Option<String>, OsString> {
        Ok(BTreeMap::get(self, name).cloned())
    }

    fn all(&self) -> BTreeMap<String, String> {
        self.clone()
    }
}
