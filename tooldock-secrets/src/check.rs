//! What is there and what is missing, in words that hold no value.

use crate::{meta::Mark, name::SecretName, scope::Scope, store::Contents};

/// Whether a secret has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It has one.
    Set,
    /// It waits for one.
    Placeholder,
    /// It has none; nobody has prepared it, or its value was lost.
    Missing,
}

impl Status {
    /// `set`, `placeholder` or `missing`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Placeholder => "placeholder",
            Self::Missing => "missing",
        }
    }
}

/// One secret as it may be shown to anybody: nothing of its value, not even its length.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// For whom it is.
    pub scope: Scope,
    /// Its name.
    pub name: SecretName,
    /// Whether it has a value.
    pub status: Status,
}

/// How the needs of a namespace are met.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Check {
    /// Names with a value.
    pub satisfied: Vec<String>,
    /// Names that nobody has prepared.
    pub missing: Vec<String>,
    /// Names that wait for a value.
    pub placeholders: Vec<String>,
}

impl Check {
    /// Whether nothing is missing.
    #[must_use]
    pub fn ok(&self) -> bool {
        self.missing.is_empty() && self.placeholders.is_empty()
    }
}

impl Contents {
    /// Every secret that has a value or should have one, global ones first.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        let mut meta = self.meta.clone();
        meta.reconcile(&self.payload, self.generation);
        let entry = |((scope, name), mark): ((Scope, SecretName), Mark)| {
            let status = match mark {
                Mark::Placeholder => Status::Placeholder,
                Mark::Set if self.payload.get(&scope, name.as_str()).is_some() => Status::Set,
                Mark::Set => Status::Missing,
            };
            Entry { scope, name, status }
        };
        meta.marks.into_iter().map(entry).collect()
    }

    /// How the secret `name` stands for a namespace: its own one, else the global one.
    #[must_use]
    pub fn status(&self, namespace: &str, name: &str) -> Status {
        if self.payload.effective(namespace).contains_key(name) {
            return Status::Set;
        }
        let own = namespace.parse().unwrap_or(Scope::Global);
        let waits = |scope: &Scope| {
            let name = name.parse().ok()?;
            self.meta
                .marks
                .get(&(scope.clone(), name))
                .filter(|mark| **mark == Mark::Placeholder)
        };
        match waits(&own).or_else(|| waits(&Scope::Global)) {
            Some(_) => Status::Placeholder,
            None => Status::Missing,
        }
    }

    /// How the needs of a namespace are met.
    #[must_use]
    pub fn check<'a>(&self, namespace: &str, needs: impl IntoIterator<Item = &'a str>) -> Check {
        let mut check = Check::default();
        for name in needs {
            let list = match self.status(namespace, name) {
                Status::Set => &mut check.satisfied,
                Status::Placeholder => &mut check.placeholders,
                Status::Missing => &mut check.missing,
            };
            list.push(name.to_owned());
        }
        check
    }
}
