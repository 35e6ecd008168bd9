//! What was asked for and what is enforced.

use super::{Confines, Protection, Sandbox, SandboxSettings};

/// How the workers of a namespace are confined: what was asked for and what is enforced.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Isolation {
    /// What the operator asked for.
    pub asked: Sandbox,
    /// What is enforced.
    pub enforced: Vec<Protection>,
    /// What was asked for and is not enforced.
    pub missing: Vec<Protection>,
}

impl Isolation {
    /// What `settings` ask for, of which a protection is enforced where `enforces` says so.
    pub(crate) fn of(settings: &SandboxSettings, enforces: impl Fn(Protection) -> bool) -> Self {
        let (enforced, missing) = Protection::ALL
            .into_iter()
            .filter(|one| settings.asks_for(*one))
            .partition(|one| enforces(*one));
        Self {
            asked: settings.mode,
            enforced,
            missing,
        }
    }

    /// What this system is expected to enforce of `settings`.
    pub(crate) fn expected(settings: SandboxSettings) -> Self {
        let confines = Confines {
            settings,
            ..Confines::default()
        };
        confines.isolation(true)
    }

    /// Tells the operator.
    pub(crate) fn log(&self) {
        let labels = |list: &[Protection]| list.iter().map(|one| one.label()).collect::<Vec<_>>().join(", ");
        let (enforced, missing) = (labels(&self.enforced), labels(&self.missing));
        if missing.is_empty() {
            tracing::info!(asked = %self.asked, enforced, "workers are confined");
        } else {
            tracing::warn!(asked = %self.asked, enforced, missing, "workers are confined in part: this system lacks something");
        }
    }

    /// Why a namespace that asks for it is refused, if it is.
    pub(crate) fn refusal(&self) -> Option<String> {
        let missing = || {
            self.missing
                .iter()
                .map(|one| format!("`{}` ({})", one.label(), one.needs()))
        };
        (self.asked == Sandbox::Strict && !self.missing.is_empty()).then(|| {
            format!(
                "is confined too little for WORKER_SANDBOX `strict`: this system does not enforce {}; give it what it lacks, or choose \
                 `best-effort`",
                missing().collect::<Vec<_>>().join(", ")
            )
        })
    }
}
