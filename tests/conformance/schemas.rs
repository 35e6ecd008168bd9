//! The published schemas by which every test judges the messages of the server: they are installed, and they count.

use std::panic::catch_unwind;

use axum::http::HeaderMap;
use serde_json::{Value, json};
use tooldock_judge::{Exchange, Judge};
use tooldock_tests::needed;

/// Each revision that has a schema of its own.
const REVISIONS: [&str; 4] = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/// Where the tests are run without the schemas, nothing would be judged in any of them; this one fails then.
#[test]
fn messages_of_another_form_are_noticed_in_every_revision() {
    let folder = needed("TOOLDOCK_CONFORMANCE").join("schemas");
    for revision in REVISIONS {
        assert!(folder.join(format!("{revision}.json")).exists(), "{revision}");
        let judge = || Judge::of(Some(revision.to_owned()), r#"{"id": 1, "method": "tools/call"}"#);
        let answer = |content: Value| {
            let result = json!({"content": content, "resultType": "complete"});
            json!({"jsonrpc": "2.0", "id": 1, "result": result})
        };
        judge().check(&answer(json!([])));
        let wrong = answer(json!(5));
        assert!(catch_unwind(|| judge().check(&wrong)).is_err(), "{revision}");
    }
}

/// Nothing but the session says of which revision these are.
#[test]
fn messages_of_another_form_are_noticed_in_a_session() {
    let session = HeaderMap::from_iter([("mcp-session-id".parse().unwrap(), "s".parse().unwrap())]);
    let ask = |id: u8, method: &str| json!({"jsonrpc": "2.0", "id": id, "method": method}).to_string();
    let answer = |id: u8, result: Value| json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string();
    let opened = answer(
        0,
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "t", "version": "1"}}),
    );
    let mut opening = Exchange::of(&HeaderMap::new(), &ask(0, "initialize")).answered(&session);
    assert_eq!(opening.hear(&opened), 1);
    for (tools, fine) in [(json!([]), true), (json!(5), false)] {
        let said = answer(1, json!({"tools": tools}));
        for said in [
            said.clone(),
            format!("[{said}]"),
            format!("event: message\nid: 1\ndata: {said}\n\n"),
        ] {
            let judged = catch_unwind(|| Exchange::of(&session, &ask(1, "tools/list")).hear(&said));
            assert_eq!(judged.ok(), fine.then_some(1), "{said}");
        }
    }
}
