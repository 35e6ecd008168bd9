//! Names in the environment that look like settings and are none.

use super::{Environment, Mistakes};

/// Names of the first version, with what replaces them.
const REPLACED: &[(&str, &str)] = &[
    ("SERVER_MODE", "every protocol is always served; remove it"),
    ("OPENAPI_PORT", "there is one port; use PORT"),
    ("MCP_PORT", "there is one port; use PORT"),
    ("WEB_PORT", "there is one port; use PORT"),
    (
        "MCP_PROTOCOL_VERSION",
        "clients and server agree on a revision; remove it",
    ),
    ("MCP_PROTOCOL_VERSIONS", "every revision is served; remove it"),
    ("HOST_DATA_DIR", "use DATA_DIR"),
];

/// Names that start with `TOOLDOCK_` and are not ours to judge: of clients and of images.
const KNOWN: &[&str] = &["TOOLDOCK_TOKEN", "TOOLDOCK_UID", "TOOLDOCK_GID"];

/// Notes every name that would have no effect although somebody set it on purpose.
pub(super) fn check(environment: &dyn Environment, mistakes: &mut Mistakes) {
    let all = environment.all();
    for (name, remedy) in REPLACED {
        if all.contains_key(*name) {
            mistakes.push(format!("{name} is a setting of version 1: {remedy}"));
        }
    }
    let unknown = all
        .keys()
        .filter(|name| name.starts_with("TOOLDOCK_") && !KNOWN.contains(&name.as_str()));
    for name in unknown {
        mistakes.push(format!(
            "{name} is no setting; docs/settings.md lists them, and none begins with TOOLDOCK_"
        ));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn names_without_effect_are_told_with_what_replaces_them() {
        let names = [
            "SERVER_MODE",
            "MCP_PORT",
            "TOOLDOCK_PORT",
            "TOOLDOCK_TOKEN",
            "PATH",
            "ADMIN_USERNAME",
        ];
        let map: BTreeMap<String, String> = names.map(|name| (name.to_owned(), "x".to_owned())).into();
        let mut mistakes = Mistakes::default();
        check(&map, &mut mistakes);
        let text = mistakes.to_string();
        assert_eq!(mistakes.lines().len(), 3, "{text}");
        assert!(
            text.contains("use PORT") && text.contains("TOOLDOCK_PORT is no setting"),
            "{text}"
        );
    }
}
