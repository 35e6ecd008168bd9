//! Who may use which tool: listing and calling are one decision.

use std::sync::Arc;

use tooldock::layers::{AuthorizeLayer, LayerSettings, defaults};
use tooldock_engine::{
    CallContext, Caller, Door, EngineExt as _, ErrorKind, NamespaceName, RawJson, ToolEngine, ToolName,
    context::Principal,
};

use crate::engine::{layered, with_tools};

/// Each caller may use the tools that begin with his name.
fn own(caller: &Caller, _namespace: &NamespaceName, tool: &ToolName) -> bool {
    tool.as_str().starts_with(caller.principal.name())
}

fn by(name: &str) -> CallContext {
    let principal = Principal::new(name);
    let caller = Caller {
        principal,
        door: Door::Mcp,
        peer: None,
    };
    CallContext::new(caller, "demo".parse().unwrap())
}

async fn listed(engine: &dyn ToolEngine, who: &str) -> Vec<String> {
    let tools = engine.list_tools(&by(who)).await.unwrap();
    tools.iter().map(|tool| tool.name.to_string()).collect()
}

#[tokio::test]
async fn what_is_listed_for_a_caller_is_what_he_can_call() {
    let names = ["ann_get", "ann_put", "bob_get"];
    let engine = layered(&AuthorizeLayer::new(own), with_tools(&names));
    for (who, own) in [("ann", &names[..2]), ("bob", &names[2..]), ("carl", &[])] {
        assert_eq!(listed(&*engine, who).await, own, "{who}");
        for name in names {
            let reply = engine.call_tool(by(who), name, RawJson::empty_object()).await;
            let refusal = reply.err().map(|error| error.kind());
            let expected = (!own.contains(&name)).then_some(ErrorKind::UnknownTool);
            assert_eq!(refusal, expected, "{who} {name}");
        }
    }
}

#[tokio::test]
async fn a_tool_of_others_is_answered_like_one_that_never_was() {
    let mut settings = LayerSettings::default();
    settings.authorize = AuthorizeLayer::new(own);
    let engine = layered(
        &defaults(&settings),
        with_tools(&["ann_get", "anx_get", "anx_put"]),
    );
    let answer = async |name: &str| {
        let error = engine
            .call_tool(by("ann"), name, RawJson::empty_object())
            .await
            .unwrap_err();
        (error.kind(), error.message().replace(name, "…"))
    };
    let hidden = answer("anx_get").await;
    assert_eq!(hidden, answer("any_get").await, "it is as if it were not there");
    assert!(
        hidden.1.contains("`ann_get`") && !hidden.1.contains("anx"),
        "{hidden:?}"
    );
    // What he would be allowed to call is not there; that a hidden name resembles it is not told.
    assert!(!answer("ann_put").await.1.contains("anx"));
}

#[tokio::test]
async fn callers_with_the_same_rights_share_one_catalog() {
    let layer = AuthorizeLayer::new(|caller, _namespace, tool| {
        caller.principal.name() == "admin" || tool.as_str() != "delete"
    });
    let inner: Arc<dyn ToolEngine> = Arc::new(with_tools(&["delete", "list"]));
    let engine = layered(&layer, inner.clone());
    let ann = engine.catalog(&by("ann")).unwrap();
    assert!(Arc::ptr_eq(&ann, &engine.catalog(&by("bob")).unwrap()));
    let whole = inner.catalog(&by("admin")).unwrap();
    let admin = engine.catalog(&by("admin")).unwrap();
    assert!(Arc::ptr_eq(&whole, &admin), "nothing is copied");
}
