//! How often tools may be called, by whom, where and which.

use tooldock::layers::{LayerSettings, Rates, defaults};
use tooldock_engine::{
    CallContext, Caller, Door, EngineError, EngineExt as _, ErrorKind, RawJson, ToolEngine,
    context::Principal,
};

use crate::engine::{layered, with_tools};

async fn call(engine: &dyn ToolEngine, who: &str, tool: &str) -> Option<EngineError> {
    let caller = Caller {
        principal: Principal::new(who),
        door: Door::Rest,
        peer: None,
    };
    let cx = CallContext::new(caller, "demo".parse().unwrap());
    engine.call_tool(cx, tool, RawJson::empty_object()).await.err()
}

#[tokio::test(start_paused = true)]
async fn each_limit_refuses_with_its_own_name() {
    let rates = |principal, namespace, tool| Rates {
        principal,
        namespace,
        tool,
    };
    for (rates, setting, same, other) in [
        (
            rates(2, 0, 0),
            "PRINCIPAL_CALLS_PER_MINUTE",
            ("ann", "two"),
            ("bob", "one"),
        ),
        (
            rates(0, 2, 0),
            "NAMESPACE_CALLS_PER_MINUTE",
            ("bob", "two"),
            ("", ""),
        ),
        (
            rates(0, 0, 2),
            "TOOL_CALLS_PER_MINUTE",
            ("bob", "one"),
            ("ann", "two"),
        ),
    ] {
        let mut settings = LayerSettings::default();
        settings.rates = rates;
        let engine = layered(&defaults(&settings), with_tools(&["one", "two"]));
        for _ in 0..2 {
            assert!(call(&*engine, "ann", "one").await.is_none());
        }
        assert!(
            call(&*engine, "ann", "none")
                .await
                .is_some_and(|error| error.kind() == ErrorKind::UnknownTool)
        );
        let refused = call(&*engine, same.0, same.1).await.expect(setting);
        assert_eq!(refused.kind(), ErrorKind::RateLimited, "{refused}");
        assert!(refused.to_string().contains(setting), "{refused}");
        let wait = refused.retry_after().unwrap();
        if !other.0.is_empty() {
            assert!(
                call(&*engine, other.0, other.1).await.is_none(),
                "{setting} counts others apart"
            );
        }
        tokio::time::advance(wait).await;
        assert!(
            call(&*engine, same.0, same.1).await.is_none(),
            "{setting} says when"
        );
    }
}
