//! What ordinary tools do goes on in the sandbox.

use serde_json::json;
use tooldock_tests::Unprivileged;

use super::ask;

const ORDINARY: &str = include_str!("ordinary.py");

#[test]
fn s80_ordinary_libraries_work_in_the_sandbox() {
    let gateway = Unprivileged::start(&[("plain/tools.py", ORDINARY)], &[("LANG", "C.UTF-8")], &[]);
    let answer = gateway.http().post("/plain/tools/everything", &json!({}), &[]);
    assert_eq!((answer.status, &answer.body), (200, &json!([])), "{answer:?}");
    assert_eq!(ask(&gateway, "plain", "asynchronous", &json!({})), "hello");
}
