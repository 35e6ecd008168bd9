//! Secrets from the encrypted store: into the workers that need them, and out of everything else.

mod known;
mod source;
mod undone;

use std::path::Path;
use std::sync::Arc;

use tooldock_secrets::{Keys, Store};
use tooldock_worker::disk::check_variable;

pub use self::{known::KnownValues, source::StoredSecrets};

/// The store in the data folder. It refuses names of variables that steer programs, as namespaces are refused them.
#[must_use]
pub fn open_store(data_dir: &Path, keys: impl Into<Arc<Keys>>) -> Store {
    Store::new(data_dir, keys).with_rule(|name| check_variable(name, "").map_err(|error| error.to_string()))
}
