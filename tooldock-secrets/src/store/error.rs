//! Why the store cannot do something.

use std::{io, path::PathBuf, time::Duration};

use crate::{envelope::EnvelopeError, remedy::remedy};

/// Why the store cannot do something. Names files and secrets, never a value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A file cannot be used.
    #[error("cannot {action} `{}`: {source}; {}", path.display(), remedy(source))]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file with the values cannot be opened. It is left as it is.
    #[error("cannot open `{}`: {source}", path.display())]
    Envelope {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: EnvelopeError,
    },
    /// Another writer has the lock.
    #[error("somebody else is changing the secrets, for longer than {} s; end that (an open editor?) and try again", .0.as_secs())]
    Busy(Duration),
    /// A name that must not be used.
    #[error("{0}")]
    Name(String),
    /// There is no such secret.
    #[error("there is no secret `{name}` in the scope `{scope}`; `secrets list` shows what there is")]
    Unknown {
        /// Its name.
        name: String,
        /// Where it was looked for.
        scope: String,
    },
    /// The values would not fit into one file.
    #[error("all values together do not fit into a file of 4 MiB; remove some, or keep large ones elsewhere")]
    TooMuch,
    /// The values are written; the names and states are not.
    #[error("the values are stored, but `{}` could not be written: {source}; {}, and the next command repairs it", path.display(), remedy(source))]
    Meta {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An older file came back.
    #[error(
        "`secrets.enc` has generation {found}, and {seen} was seen already: an older file came back. The values of generation {seen} \
         stay active; put the newer file back, or restart to accept this one"
    )]
    Rollback {
        /// The generation of the file.
        found: u64,
        /// The generation seen before.
        seen: u64,
    },
    /// The system gives no random bytes.
    #[error("the system gives no random bytes")]
    Random,
    /// Sealing needs a key.
    #[error("there is no key to seal with; set SECRETS_KEY or SECRETS_KEY_FILE")]
    NoKey,
}
