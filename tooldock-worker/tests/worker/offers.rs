//! Resources, prompts, completion and updates of a real worker.

use serde_json::{Value, json};
use tooldock_engine::{
    Change, EngineExt as _, ErrorKind, ToolEngine as _,
    catalog::Kind,
    request::{Complete, GetPrompt, Reference},
};

use crate::{
    process::soon,
    shop::{call, cx, serve},
};

const OFFERS: &str = r#"
from tooldock import *

@resource("note://index", meta={"n": 1.10})
def index() -> str:
    return "all"

@resource("note://{name}{?v}", mime_type="text/csv")
async def note(name: str, v: int = 1) -> str:
    return f"{name} {v}"

@resource("bad://{x:3}")
def bad(x: str) -> str:
    return x

@prompt
def greet(who: str) -> str:
    """Greet somebody."""
    return f"Greet {who}."

@completion("greet", "who")
def who(typed):
    return [typed + "n"]

@tool
async def touch(ctx: Context) -> str:
    await ctx.notify_resource_updated("note://a")
    return "told"
"#;

fn get(who: &[(&str, &str)]) -> GetPrompt {
    GetPrompt {
        name: "greet".to_owned(),
        arguments: who
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        answers: None,
    }
}

#[tokio::test]
async fn a_file_offers_more_than_tools() {
    let (_tools, engine) = serve(OFFERS).await;
    let catalog = engine.catalog(&cx()).unwrap();
    assert!(
        [Kind::Resources, Kind::Prompts, Kind::Completions]
            .iter()
            .all(|kind| catalog.offers(*kind))
    );
    assert_eq!(
        catalog
            .resource("note://index")
            .unwrap()
            .meta
            .as_ref()
            .unwrap()
            .as_str(),
        r#"{"n":1.1}"#
    );
    assert_eq!(
        catalog.prompt("greet").unwrap().description.as_deref(),
        Some("Greet somebody.")
    );
    for (uri, text) in [
        ("note://index", "all"),
        ("note://a", "a 1"),
        ("note://b%20c?v=2", "b c 2"),
    ] {
        let output = engine.read_resource(cx(), uri).await.unwrap();
        let contents: Value = output.contents.parse().unwrap();
        assert_eq!(
            (&contents[0]["uri"], &contents[0]["text"]),
            (&json!(uri), &json!(text))
        );
    }
    let output = engine.get_prompt(cx(), get(&[("who", "ann")])).await.unwrap();
    assert!(output.messages.as_str().contains("Greet ann."), "{output:?}");
    let asked = Complete {
        reference: Reference::Prompt("greet".to_owned()),
        argument: "who".to_owned(),
        value: "an".to_owned(),
        context: Default::default(),
    };
    assert_eq!(engine.complete(cx(), asked).await.unwrap().values, ["ann"]);
    let errors = engine.report().errors;
    assert!(
        errors.iter().any(|error| error.message.contains("`bad://{x:3}`")),
        "{errors:?}"
    );
}

#[tokio::test]
async fn what_is_not_offered_is_told_so() {
    let (_tools, engine) = serve(OFFERS).await;
    for (uri, kind) in [
        ("note://..%2Fa", ErrorKind::UnknownResource),
        ("other://a", ErrorKind::UnknownResource),
        ("note://a?v=x", ErrorKind::InvalidArguments),
    ] {
        assert_eq!(
            engine.read_resource(cx(), uri).await.unwrap_err().kind(),
            kind,
            "{uri}"
        );
    }
    let unknown = GetPrompt {
        name: "none".to_owned(),
        ..get(&[])
    };
    assert_eq!(
        engine.get_prompt(cx(), unknown).await.unwrap_err().kind(),
        ErrorKind::UnknownPrompt
    );
    assert_eq!(
        engine.get_prompt(cx(), get(&[])).await.unwrap_err().kind(),
        ErrorKind::InvalidArguments
    );
}

#[tokio::test]
async fn watchers_hear_of_updates() {
    let (_tools, engine) = serve(OFFERS).await;
    let mut watched = engine.changes(&cx(), &["note://a".into()]);
    let mut others = engine.changes(&cx(), &["note://b".into()]);
    call(&engine, "touch", json!({})).await.unwrap();
    assert_eq!(
        soon(watched.next()).await,
        Some(Change::Updated("note://a".into()))
    );
    assert!(futures_util::FutureExt::now_or_never(others.next()).is_none());
}
