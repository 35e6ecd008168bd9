//! The answers that a call may get besides its result, from the one table of errors.

use std::collections::BTreeMap;

use http::StatusCode;
use tooldock_engine::{ErrorKind, error::TABLE};

use super::{
    components::{ERROR, reference},
    tree::Tree,
};

/// For each status the codes that have it. A call whose client has gone gets no answer, so that row says nothing here.
fn statuses() -> BTreeMap<u16, Vec<&'static str>> {
    let unsupported = ErrorKind::InvalidRequest.row();
    let mut statuses = BTreeMap::from([(
        StatusCode::UNSUPPORTED_MEDIA_TYPE.as_u16(),
        vec![unsupported.code],
    )]);
    for row in TABLE.iter().filter(|row| row.kind != ErrorKind::Cancelled) {
        statuses.entry(row.rest_status).or_default().push(row.code);
    }
    statuses
}

/// `components/responses`: one answer for each status.
pub(super) fn components() -> Tree {
    Tree::object(statuses().into_iter().map(|(status, codes)| {
        let description = Tree::text(&format!("`{}`", codes.join("`, `")));
        let content = Tree::object([("application/json", Tree::object([("schema", reference(ERROR))]))]);
        let mut members = vec![("description", description), ("content", content)];
        let header = match status {
            401 => Some("WWW-Authenticate"),
            429 | 503 => Some("Retry-After"),
            _ => None,
        };
        if let Some(header) = header {
            let text = Tree::object([("schema", Tree::object([("type", Tree::text("string"))]))]);
            members.push(("headers", Tree::object([(header, text)])));
        }
        (status.to_string(), Tree::object(members))
    }))
}

/// The answers of an operation: its result, and a reference for each of the others.
pub(super) fn of_operation(success: Tree) -> Tree {
    let content = Tree::object([("application/json", Tree::object([("schema", success)]))]);
    let result = Tree::object([
        ("description", Tree::text("What the tool returned.")),
        ("content", content),
    ]);
    let others = statuses().into_keys().map(|status| {
        let target = format!("#/components/responses/{status}");
        (status.to_string(), Tree::object([("$ref", Tree::text(&target))]))
    });
    Tree::object(std::iter::once(("200".to_owned(), result)).chain(others))
}

/// The schema of every error answer.
pub(super) fn error_schema() -> Tree {
    let text = || Tree::object([("type", Tree::text("string"))]);
    let error = Tree::object([
        ("type", Tree::text("object")),
        (
            "properties",
            Tree::object([
                ("code", text()),
                ("message", text()),
                ("details", Tree::object::<&str>([])),
            ]),
        ),
        ("required", Tree::texts(["code", "message"])),
    ]);
    Tree::object([
        ("type", Tree::text("object")),
        (
            "properties",
            Tree::object([("error", error), ("request_id", text())]),
        ),
        ("required", Tree::texts(["error"])),
    ])
}
