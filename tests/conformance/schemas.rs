//! The published schemas by which every test judges the messages of the server: they are installed, and they count.

use std::panic::catch_unwind;

use serde_json::{Value, json};
use tooldock_judge::Judge;
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
