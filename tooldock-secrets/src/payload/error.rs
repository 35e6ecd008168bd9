//! Why a payload is none.

use crate::{name::NameError, scope::ScopeError, value::ValueError};

/// Which rule the content of a file breaks. Names at most a secret, never a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PayloadError {
    /// Not of the form it must have.
    #[error("it is no object of `global` and `namespaces` with texts by their names, each once")]
    Form,
    /// A name that is none.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A namespace that is none.
    #[error(transparent)]
    Scope(#[from] ScopeError),
    /// A value that is none.
    #[error("`{name}`: {error}")]
    Value {
        /// The secret it belongs to.
        name: String,
        /// What is wrong with it.
        error: ValueError,
    },
}
