//! Which tools exist.

use std::sync::Arc;

use tooldock::layers::{LayerSettings, NamespaceLimits, Overrides, SelectLayer, Selection, defaults};
use tooldock_engine::{
    Catalog, Change, EngineExt as _, EngineLayer as _, ErrorKind, RawJson, ToolEngine, ToolOutput,
    catalog::{About, Prompt, Resource, ResourceTemplate},
    testing::EngineMock,
};

use crate::engine::{cx, echo, layered, raw, taking, tool, with_tools};

fn choosing(allow: &[&str], deny: &[&str]) -> Arc<Overrides> {
    let parse = |patterns: &[&str]| {
        patterns
            .iter()
            .map(|text| text.parse().unwrap())
            .collect::<Vec<_>>()
    };
    let mut limits = NamespaceLimits::default();
    limits.selection = Selection::new(parse(allow), parse(deny));
    let overrides = Overrides::default();
    overrides.set([("demo".parse().unwrap(), limits)].into());
    Arc::new(overrides)
}

async fn listed(engine: &dyn ToolEngine) -> Vec<String> {
    let catalog = engine.catalog(&cx()).unwrap();
    catalog.tools().iter().map(|tool| tool.name.to_string()).collect()
}

#[tokio::test]
async fn f55_what_is_listed_is_what_can_be_called() {
    let names = ["delete_issue", "delete_repo", "list_issues", "list_repos"];
    for (allow, deny, expected) in [
        (&[][..], &[][..], &names[..]),
        (&["list_*"], &[], &["list_issues", "list_repos"]),
        (&[], &["delete_*"], &["list_issues", "list_repos"]),
        (&["*_issues", "delete_issue"], &["delete_*"], &["list_issues"]),
        (&["delete_????"], &[], &["delete_repo"]),
        (&["*"], &["*"], &[]),
        (&["nothing"], &[], &[]),
    ] {
        let engine = layered(&SelectLayer::new(choosing(allow, deny)), with_tools(&names));
        assert_eq!(listed(&engine).await, expected, "{allow:?} {deny:?}");
        for name in names {
            let reply = engine.call_tool(cx(), name, RawJson::empty_object()).await;
            match expected.contains(&name) {
                true => assert_eq!(reply.unwrap(), ToolOutput::text("ran"), "{name}"),
                false => assert_eq!(reply.unwrap_err().kind(), ErrorKind::UnknownTool, "{name}"),
            }
        }
    }
}

#[tokio::test]
async fn f55_a_hidden_tool_is_answered_like_one_that_never_was() {
    let overrides = choosing(&[], &["issue_delete"]);
    let mut settings = LayerSettings::default();
    settings.overrides = overrides;
    let mut hidden = taking(&serde_json::json!({"required": ["id"]}));
    hidden.name = "issue_delete".parse().unwrap();
    let engine = layered(&defaults(&settings), echo(hidden));
    let answer = async |name: &str| {
        let error = engine.call_tool(cx(), name, raw("{}")).await.unwrap_err();
        (error.kind(), error.message().replace(name, "…"))
    };
    let (kind, text) = answer("issue_delete").await;
    assert_eq!(
        (kind, text.clone()),
        answer("issue_delate").await,
        "no name is guessed that is hidden"
    );
    assert_eq!(kind, ErrorKind::UnknownTool);
    engine.shutdown(std::time::Duration::ZERO).await;
    assert_eq!((kind, text), answer("issue_delete").await);
}

#[tokio::test]
async fn the_choice_is_one_namespaces() {
    let layer = SelectLayer::new(choosing(&[], &["*"]));
    let inner: Arc<dyn ToolEngine> = Arc::new(with_tools(&["a"]));
    let other = layer.layer(&"other".parse().unwrap(), inner.clone());
    assert!(Arc::ptr_eq(&inner, &other), "nothing stands in between");
    assert!(
        listed(&layer.layer(&"demo".parse().unwrap(), inner))
            .await
            .is_empty()
    );
}

fn catalog(description: &str) -> Catalog {
    let mut hidden = tool("hidden");
    hidden.description = Some(description.to_owned());
    let about = About {
        version: Some("1".to_owned()),
        ..About::default()
    };
    let builder = Catalog::builder().about(about).tool(tool("seen")).tool(hidden);
    let builder = builder
        .resource(Resource::new("a:b", "r"))
        .prompt(Prompt::new("p"));
    builder
        .template(ResourceTemplate::new("a:{b}", "t"))
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_change_of_what_is_hidden_changes_nothing_that_is_seen() {
    let inner = Arc::new(EngineMock::new(catalog("old")));
    let engine = layered(&SelectLayer::new(choosing(&[], &["hidden"])), inner.clone());
    let first = engine.catalog(&cx()).unwrap();
    assert!(
        Arc::ptr_eq(&first, &engine.catalog(&cx()).unwrap()),
        "filtered once"
    );
    let counts = (
        first.tools().len(),
        first.resources().len(),
        first.templates().len(),
        first.prompts().len(),
    );
    assert_eq!(
        (counts, first.about().version.as_deref()),
        ((1, 1, 1, 1), Some("1"))
    );

    let mut changes = engine.changes(&cx(), &[]);
    inner.change(catalog("new"));
    assert_eq!(changes.next().await, Some(Change::Tools));
    assert_eq!(engine.catalog(&cx()).unwrap().digest(), first.digest());
    inner.change(Catalog::builder().tool(tool("other")).build().unwrap());
    assert_ne!(engine.catalog(&cx()).unwrap().digest(), first.digest());
}
