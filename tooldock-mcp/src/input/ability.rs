//! What a client can be asked.

use serde::Deserialize;
use serde_json::value::RawValue;
use tooldock_engine::{RawJson, context::AskKind};

use crate::revision::{Feature, Revision};

/// What a client can be asked, as far as its revision has it and it declares it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Abilities {
    form: bool,
    url: bool,
    sample: bool,
    /// Sampling in which the model may call tools.
    pub(crate) sample_tools: bool,
    roots: bool,
}

/// What is read of ClientCapabilities, and of `elicitation` and `sampling` in it.
#[derive(Deserialize, Default)]
struct Declared<'a> {
    #[serde(borrow)]
    elicitation: Option<&'a RawValue>,
    #[serde(borrow)]
    sampling: Option<&'a RawValue>,
    #[serde(borrow)]
    roots: Option<&'a RawValue>,
    #[serde(borrow)]
    form: Option<&'a RawValue>,
    #[serde(borrow)]
    url: Option<&'a RawValue>,
    #[serde(borrow)]
    tools: Option<&'a RawValue>,
}

fn read(value: Option<&RawValue>) -> Option<Declared<'_>> {
    let text = value?.get();
    text.starts_with('{')
        .then(|| serde_json::from_str(text).unwrap_or_default())
}

impl Abilities {
    /// Reads a ClientCapabilities object.
    pub(crate) fn read(declared: &RawJson, revision: Revision) -> Self {
        let declared: Declared<'_> = declared.parse().unwrap_or_default();
        let elicitation = read(declared.elicitation).filter(|_| revision.has(Feature::Elicitation));
        let sampling = read(declared.sampling);
        Self {
            // Without any mode, forms are meant (2025-11-25, Elicitation, Capabilities).
            form: elicitation
                .as_ref()
                .is_some_and(|modes| modes.form.is_some() || modes.url.is_none()),
            url: elicitation
                .is_some_and(|modes| modes.url.is_some() && revision.has(Feature::ElicitationUrl)),
            sample: sampling.is_some(),
            sample_tools: sampling.is_some_and(|parts| parts.tools.is_some()),
            roots: read(declared.roots).is_some(),
        }
    }

    /// Whether it can be asked a question of this kind.
    pub(crate) fn has(self, kind: AskKind) -> bool {
        match kind {
            AskKind::ElicitForm => self.form,
            AskKind::ElicitUrl => self.url,
            AskKind::Sample => self.sample,
            AskKind::Roots => self.roots,
            _ => false,
        }
    }

    /// Whether it can be asked anything.
    pub(crate) fn any(self) -> bool {
        AskKind::ALL.into_iter().any(|kind| self.has(kind))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_client_is_asked_only_what_it_declares_and_its_revision_has() {
        let all = json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}});
        let table = [
            (json!({}), Revision::V2025_11_25, "", false),
            (all.clone(), Revision::V2025_03_26, "sr", false),
            (all.clone(), Revision::V2025_06_18, "fsr", false),
            (all.clone(), Revision::V2025_11_25, "fusr", false),
            (all, Revision::V2026_07_28, "fusr", false),
            (json!({"elicitation": {}}), Revision::V2026_07_28, "f", false),
            (
                json!({"elicitation": {"url": {}}}),
                Revision::V2025_11_25,
                "u",
                false,
            ),
            (
                json!({"elicitation": {"url": {}}}),
                Revision::V2025_06_18,
                "",
                false,
            ),
            (
                json!({"sampling": {"tools": {}}}),
                Revision::V2025_11_25,
                "s",
                true,
            ),
            (
                json!({"sampling": true, "roots": [], "elicitation": null}),
                Revision::V2026_07_28,
                "",
                false,
            ),
        ];
        for (declared, revision, expected, tools) in table {
            let abilities = Abilities::read(&(&declared).into(), revision);
            let letters = AskKind::ALL.into_iter().zip("fusr".chars());
            let letters: String = letters
                .filter_map(|(kind, letter)| abilities.has(kind).then_some(letter))
                .collect();
            assert_eq!(
                (&*letters, abilities.sample_tools),
                (expected, tools),
                "{declared} {revision}"
            );
            assert_eq!(abilities.any(), !expected.is_empty());
        }
    }
}
