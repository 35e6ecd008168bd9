//! The identity behind a call.

use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    sync::{Arc, LazyLock},
};

use tokio_util::sync::CancellationToken;

use super::Rights;

/// The authenticated identity behind a call, and what it may do.
///
/// Sessions, sealed state and fair queues are keyed by it; two callers with equal principals, which are those of equal names, are one
/// and the same. Cloning is cheap.
///
/// ```
/// use tooldock_engine::{context::{Principal, Rights}, name::NameChoice};
/// let ann = Principal::new("ann").limited(Rights::default().in_namespaces(NameChoice::parse(["demo"])?));
/// assert!(ann.rights().may_enter("demo") && !ann.rights().may_enter("other"));
/// assert_eq!(ann, Principal::new("ann"));
/// # Ok::<(), tooldock_engine::name::NameError>(())
/// ```
#[derive(Clone)]
pub struct Principal(Arc<Identity>);

struct Identity {
    name: Box<str>,
    rights: Rights,
    /// Fired when it is nobody any more.
    end: CancellationToken,
}

impl Principal {
    /// The identity called `name`: a configured token's name or a token subject, never a token. It may do everything.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self(Arc::new(Identity {
            name: name.into(),
            rights: Rights::default(),
            end: CancellationToken::new(),
        }))
    }

    /// Another identity of the same name, which may do what `rights` say.
    #[must_use]
    pub fn limited(&self, rights: Rights) -> Self {
        Self(Arc::new(Identity {
            name: self.0.name.clone(),
            rights,
            end: CancellationToken::new(),
        }))
    }

    /// Nobody in particular: a door that asks for no credentials.
    #[must_use]
    pub fn anonymous() -> Self {
        static ANONYMOUS: LazyLock<Principal> = LazyLock::new(|| Principal::new("anonymous"));
        ANONYMOUS.clone()
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What it may do.
    #[must_use]
    pub fn rights(&self) -> &Rights {
        &self.0.rights
    }

    /// Ends what was opened in its name: sessions are not found any more, and streams end. Whoever keeps credentials does this when
    /// they are taken away, and lets nobody in with them. Idempotent.
    pub fn end(&self) {
        self.0.end.cancel();
    }

    /// Whether it [has ended](Self::end).
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.0.end.is_cancelled()
    }

    /// Waits until it [has ended](Self::end).
    ///
    /// # Cancel safety
    /// Safe.
    pub async fn ended(&self) {
        self.0.end.cancelled().await;
    }
}

impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Principal").field(&self.0.name).finish()
    }
}

impl PartialEq for Principal {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Principal {}

impl PartialOrd for Principal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Principal {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.name.cmp(&other.0.name)
    }
}

impl Hash for Principal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}
