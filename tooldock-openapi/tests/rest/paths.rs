//! Path tricks in tool names.

use tooldock_engine::testing::EngineMock;

use crate::app::{app, catalog, get, post, tool};

/// Each of these names no tool, and each is told so like any name that is not there.
const TRICKS: &[&str] = &[
    "%00",
    "a%00b",
    "a%2Fb",
    "..%2F..%2Fetc%2Fpasswd",
    "%2e%2e",
    "..",
    ".",
    "%252e%252e",
    "ad%2564",
    "%ff",
    "%c0%af",
    "%",
    "%zz",
    "a%20b",
    "add%20",
    "%20add",
    "add/",
    "a/b",
    "a/b/c",
    "../add",
    "add%0d%0aX:1",
    "ADD",
    "%EF%BD%81dd",
    "add;x=1",
    "add,add",
];

#[tokio::test]
async fn s25_path_tricks_are_unknown_tools() {
    let app = app(EngineMock::new(catalog([tool("add")])));
    let long = "a".repeat(129);
    for name in TRICKS.iter().copied().chain([long.as_str()]) {
        for answer in [
            post(&app, &format!("/tools/{name}"), "{}").await,
            get(&app, &format!("/tools/{name}/schema")).await,
        ] {
            assert_eq!(answer.status, 404, "`{name}`");
            assert_eq!(answer.code(), "tool_not_found", "`{name}`");
            assert!(
                answer.message().starts_with("there is no tool `"),
                "`{name}`: {}",
                answer.message()
            );
            assert!(!answer.message().contains(char::is_control), "`{name}`");
        }
    }
}

#[tokio::test]
async fn a_name_is_decoded_exactly_once() {
    let app = app(EngineMock::new(catalog([tool("add"), tool("a.b-c_d")])));
    for name in ["add", "%61dd", "a%2eb-c%5Fd"] {
        assert_eq!(
            get(&app, &format!("/tools/{name}/schema")).await.status,
            200,
            "{name}"
        );
    }
    assert_eq!(get(&app, "/tools/%2561dd/schema").await.status, 404);
}
