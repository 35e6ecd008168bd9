//! What the program tells a caller who does something wrong, and how it starts and ends.

use serde_json::json;
use tooldock_tests::{Gateway, fixtures};

#[test]
fn each_mistake_of_a_caller_has_its_status_and_says_what_to_do() {
    let gateway = Gateway::start(fixtures());
    let (http, stranger) = (gateway.http(), gateway.stranger());
    let add = json!({"a": 1, "b": 2});
    let table = [
        (
            stranger.post("/demo/tools/add", &add, &[]),
            401,
            "Authorization: Bearer",
        ),
        (http.post("/tools/add", &add, &[]), 400, "X-Namespace"),
        (http.post("/mcp", &json!({}), &[]), 400, "X-Namespace"),
        (
            http.post("/demo/tools/add", &json!({"a": "x", "b": 2}), &[]),
            422,
            "`arguments.a` must be a number",
        ),
        (http.post("/demo/tools/ad", &add, &[]), 404, "did you mean `add`"),
        (http.post("/nobody/tools/add", &add, &[]), 404, "GET /namespaces"),
        (
            http.post(
                "/reload",
                &json!({}),
                &[("x-manager-token", "nobody-gave-this-out")],
            ),
            403,
            "X-Manager-Token",
        ),
        (stranger.get("/namespaces"), 401, "Authorization: Bearer"),
    ];
    for (answer, status, word) in table {
        assert_eq!(answer.status, status, "{answer:?}");
        assert!(answer.error().contains(word), "{answer:?} does not say {word}");
    }
    assert_eq!(stranger.get("/health").status, 200);
}

#[test]
fn a_header_names_the_namespace_as_well_as_a_path_does() {
    let gateway = Gateway::start(fixtures());
    for (path, headers) in [
        ("/demo/tools/add", &[][..]),
        ("/tools/add", &[("x-namespace", "demo")]),
    ] {
        let answer = gateway.http().post(path, &json!({"a": 1.5, "b": 2}), headers);
        assert_eq!((answer.status, answer.body), (200, json!(3.5)), "{path}");
    }
}
