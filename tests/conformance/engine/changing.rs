//! Tools that change what is listed: each call puts an engine with one thing more in place of the one that serves.

use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

use tooldock::{
    RawJson, ToolOutput,
    engine::output::PromptOutput,
    layers::{LayerSettings, defaults},
    registry::{Origin, Registry, Started},
};

use super::{lasting, prompts::prompt, tool};

/// How long an engine that was replaced may go on.
const DRAIN: Duration = Duration::from_secs(30);

/// The namespace `suite` in a registry of its own, and how often it was changed.
#[derive(Debug)]
pub(crate) struct Stage {
    registry: Weak<Registry>,
    tools: AtomicU32,
    prompts: AtomicU32,
}

impl Stage {
    /// A registry that serves the fixtures as `suite`.
    pub(crate) fn set_up() -> Arc<Registry> {
        let registry = Arc::new(Registry::new(defaults(&LayerSettings::default()), DRAIN));
        let stage = Arc::new(Self {
            registry: Arc::downgrade(&registry),
            tools: AtomicU32::new(0),
            prompts: AtomicU32::new(0),
        });
        stage.play();
        registry
    }

    /// Puts an engine with all that is to be listed now in place.
    fn play(self: &Arc<Self>) {
        let (tools, prompts) = (self.tools.load(Relaxed), self.prompts.load(Relaxed));
        let added = async |_cx, _arguments: RawJson| Ok(ToolOutput::text("added"));
        let engine = self.change("test_trigger_tool_change", |stage| &stage.tools, lasting());
        let engine = self.change("test_trigger_prompt_change", |stage| &stage.prompts, engine);
        let engine = (0..tools).fold(engine, |engine, count| {
            engine.tool(tool(&format!("test_added_{count}"), "Was added."), added)
        });
        let engine = (0..prompts).fold(engine, |engine, count| {
            engine.prompt(prompt(&format!("test_added_{count}"), &[]), async |_cx, _get| {
                Ok(PromptOutput::user("added"))
            })
        });
        let engine = Arc::new(engine.build().expect("every name is there once"));
        if let Some(registry) = self.registry.upgrade() {
            let suite = "suite".parse().expect("a plain name");
            registry.put(&suite, Started::plain(engine), Origin::Code);
        }
    }

    /// Adds a tool that adds one to what `count` finds.
    fn change(
        self: &Arc<Self>,
        name: &str,
        count: fn(&Self) -> &AtomicU32,
        engine: tooldock::engine::fixed::StaticEngineBuilder,
    ) -> tooldock::engine::fixed::StaticEngineBuilder {
        let stage = self.clone();
        engine.tool(tool(name, "Add something to a list."), move |_cx, _arguments| {
            count(&stage).fetch_add(1, Relaxed);
            stage.play();
            async { Ok(ToolOutput::text("It was added.")) }
        })
    }
}
