//! What a reload did.

use serde::Serialize;

use super::{Action, CatalogDiff, Rejected, Step};

/// What a reload did with one namespace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// What was planned, and why.
    #[serde(flatten)]
    pub step: Step,
    /// Why it could not be done; the last good version, if there is one, goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How the lists have changed.
    #[serde(flatten)]
    pub lists: Option<CatalogDiff>,
}

impl Outcome {
    pub(super) fn planned(step: Step) -> Self {
        Self {
            step,
            error: None,
            lists: None,
        }
    }
}

/// What a reload did: the answer of `POST /reload`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ReloadReport {
    /// Whether everything that was planned was done.
    pub ok: bool,
    /// Whether nothing was done because only the plan was asked for.
    pub dry_run: bool,
    /// One line for each namespace.
    pub namespaces: Vec<Outcome>,
    /// What is no namespace, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<Rejected>,
    /// Why nothing could be looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl ReloadReport {
    pub(super) fn unreadable(error: String) -> Self {
        Self {
            error: Some(error),
            ..Self::default()
        }
    }

    /// How many namespaces were treated so.
    #[must_use]
    pub fn count(&self, action: Action) -> usize {
        self.namespaces
            .iter()
            .filter(|outcome| outcome.step.action == action)
            .count()
    }
}
