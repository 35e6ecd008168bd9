//! An engine made of Rust closures.

mod builder;
mod handler;
mod handlers;
mod unknown;
mod updates;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use self::handlers::Handlers;
pub use self::{
    builder::{StaticEngineBuilder, StaticEngineError},
    handler::{Address, Handler},
    unknown::{unknown_prompt, unknown_resource, unknown_tool},
    updates::Updates,
};
use crate::{
    CallContext, Catalog, Changes, EngineError, EngineReply, EngineRequest, ErrorKind, ToolEngine,
    error::Result, request::ResourceUri,
};

/// An engine whose tools, resources and prompts are Rust closures. What it offers is fixed when it is built.
///
/// ```
/// use tooldock_engine::{StaticEngine, Tool, ToolOutput};
/// let engine = StaticEngine::builder()
///     .tool(Tool::new("shout".parse()?), async |_cx, arguments: tooldock_engine::RawJson| {
///         let text: std::collections::HashMap<String, String> = arguments.parse().unwrap_or_default();
///         Ok(ToolOutput::text(&text["text"].to_uppercase()))
///     })
///     .build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The values of a template's variables and the arguments of a prompt come as texts:
///
/// ```
/// use tooldock_engine::{
///     StaticEngine,
///     catalog::{Prompt, PromptArgument, ResourceTemplate},
///     fixed::Address,
///     output::{PromptOutput, ResourceOutput},
///     request::GetPrompt,
/// };
/// let mut greet = Prompt::new("greet");
/// greet.arguments = vec![PromptArgument { name: "who".to_owned(), required: true, ..PromptArgument::default() }];
/// let engine = StaticEngine::builder()
///     .template(ResourceTemplate::new("note://{name}", "notes"), async |_cx, address: Address| {
///         Ok(ResourceOutput::text(&address.uri, "text/plain", &format!("A note about {}.", address.values["name"])))
///     })
///     .prompt(greet, async |_cx, get: GetPrompt| Ok(PromptOutput::user(&format!("Greet {}.", get.arguments["who"]))))
///     .build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StaticEngine {
    catalog: Arc<Catalog>,
    handlers: Handlers,
    updates: Updates,
    running: TaskTracker,
    stop: CancellationToken,
}

/// How long calls may take to end once they are told to.
const END: Duration = Duration::from_secs(1);

impl StaticEngine {
    /// Starts an engine that offers nothing.
    pub fn builder() -> StaticEngineBuilder {
        StaticEngineBuilder::default()
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for StaticEngine {
    fn catalog(&self, _cx: &CallContext) -> Result<Arc<Catalog>> {
        Ok(self.catalog.clone())
    }

    fn changes(&self, _cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.updates.changes(watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        if self.running.is_closed() {
            return Err(EngineError::new(
                ErrorKind::Unavailable,
                "the namespace is shutting down",
            ));
        }
        let _running = self.running.token();
        tokio::select! {
            reply = self.handlers.answer(&self.catalog, cx.clone(), request) => reply,
            () = cx.cancelled().cancelled() => Err(EngineError::new(ErrorKind::Cancelled, "the call was cancelled")),
            () = self.stop.cancelled() => Err(EngineError::new(ErrorKind::Unavailable, "the namespace was shut down during the call")),
        }
    }

    async fn shutdown(&self, grace: Duration) {
        self.running.close();
        if tokio::time::timeout(grace, self.running.wait()).await.is_err() {
            self.stop.cancel();
            // A call that nobody polls cannot end; it ends when its future is dropped.
            tokio::time::timeout(END, self.running.wait()).await.ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;
    use crate::{
        Caller, Change, EngineExt as _, RawJson, Tool, ToolName, ToolOutput,
        catalog::{Kind, Prompt, PromptArgument, Resource, ResourceTemplate},
        output::{PromptOutput, ResourceOutput},
        request::GetPrompt,
    };

    #[tokio::test(start_paused = true)]
    async fn shutdown_does_not_wait_for_a_call_that_nobody_polls() {
        let never = async |_cx, _arguments| std::future::pending::<Result<ToolOutput>>().await;
        let tool: ToolName = "never".parse().unwrap();
        let engine = StaticEngine::builder()
            .tool(Tool::new(tool.clone()), never)
            .build()
            .unwrap();
        let cx = CallContext::new(Caller::local(), "demo".parse().unwrap());
        let mut call = engine.serve(cx, EngineRequest::call_tool(tool, RawJson::empty_object()));
        assert!((&mut call).now_or_never().is_none());
        let grace = Duration::from_secs(5);
        let shutdown = tokio::time::timeout(Duration::from_secs(60), engine.shutdown(grace));
        assert!(shutdown.await.is_ok(), "it waits for ever");
        let told = call.await.expect_err("the engine is shut down");
        assert_eq!(told.kind(), ErrorKind::Unavailable);
    }

    fn offering() -> (StaticEngine, Updates) {
        let read = async |_cx, address: Address| {
            let values = format!("{} {:?}", address.uri, address.values);
            Ok(ResourceOutput::text(&address.uri, "text/plain", &values))
        };
        let mut greet = Prompt::new("greet");
        greet.arguments = vec![PromptArgument {
            name: "who".to_owned(),
            required: true,
            ..PromptArgument::default()
        }];
        let updates = Updates::default();
        let engine = StaticEngine::builder()
            .resource(Resource::new("note://index", "index"), read)
            .template(ResourceTemplate::new("note://{name}", "notes"), read)
            .template(ResourceTemplate::new("note://{name}.txt", "texts"), read)
            .prompt(greet, async |_cx, get: GetPrompt| {
                Ok(PromptOutput::user(&get.arguments["who"]))
            })
            .updates(&updates)
            .build();
        (engine.unwrap(), updates)
    }

    fn cx() -> CallContext {
        CallContext::new(Caller::local(), "demo".parse().unwrap())
    }

    #[tokio::test]
    async fn a_resource_is_read_by_its_own_handler_or_by_the_template_that_says_most() {
        let (engine, _) = offering();
        for (uri, values) in [
            ("note://index", "{}"),
            ("note://a", "{\"name\": \"a\"}"),
            ("note://a.txt", "{\"name\": \"a\"}"),
            ("note://a.md", "{\"name\": \"a.md\"}"),
        ] {
            let output = engine.read_resource(cx(), uri).await.unwrap();
            let contents: serde_json::Value = output.contents.parse().unwrap();
            assert_eq!(contents[0]["text"], format!("{uri} {values}"));
        }
        for uri in ["note://a/b", "other://a", "note://%2e%2e"] {
            let unknown = engine.read_resource(cx(), uri).await.unwrap_err();
            assert_eq!(unknown.kind(), ErrorKind::UnknownResource);
            let details: serde_json::Value = unknown.details().unwrap().parse().unwrap();
            assert_eq!(details, serde_json::json!({"uri": uri}));
        }
    }

    #[tokio::test]
    async fn a_prompt_gets_what_it_requires() {
        let (engine, _) = offering();
        let get = |name: &str, arguments: &[(&str, &str)]| GetPrompt {
            name: name.to_owned(),
            arguments: arguments
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            answers: None,
        };
        let output = engine
            .get_prompt(cx(), get("greet", &[("who", "ann")]))
            .await
            .unwrap();
        assert_eq!(output, PromptOutput::user("ann"));
        for (asked, kind, named) in [
            (get("greet", &[("how", "x")]), ErrorKind::InvalidParams, "`who`"),
            (get("grete", &[]), ErrorKind::UnknownPrompt, "`grete`"),
        ] {
            let refused = engine.get_prompt(cx(), asked).await.unwrap_err();
            assert_eq!(refused.kind(), kind);
            assert!(refused.message().contains(named), "{refused}");
        }
    }

    #[tokio::test]
    async fn only_watchers_of_a_resource_hear_of_it() {
        let (engine, updates) = offering();
        let mut changes = engine.changes(&cx(), &["note://a".into()]);
        updates.tell("note://b");
        updates.tell("note://a");
        assert_eq!(changes.next().await, Some(Change::Updated("note://a".into())));
    }

    #[test]
    fn it_says_what_it_offers_and_refuses_what_it_cannot_match() {
        let (engine, _) = offering();
        let offered = |kind| engine.catalog.offers(kind);
        assert!(offered(Kind::Resources) && offered(Kind::Prompts));
        assert!(!offered(Kind::Tools) && !offered(Kind::Completions));
        let read = async |_cx, address: Address| Ok(ResourceOutput::text(&address.uri, "text/plain", ""));
        let builder = StaticEngine::builder().template(ResourceTemplate::new("note://{", "broken"), read);
        assert!(builder.build().unwrap_err().to_string().contains("`note://{`"));
    }
}
