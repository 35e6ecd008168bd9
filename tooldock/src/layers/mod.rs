//! Policies around engines, each usable alone.
//!
//! ```
//! use std::sync::Arc;
//! use tooldock::layers::{LayerSettings, defaults};
//! use tooldock_engine::{EngineLayer, StaticEngine};
//! let stack = defaults(&LayerSettings::default());
//! let engine = stack.layer(&"demo".parse()?, Arc::new(StaticEngine::builder().build()?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod concurrency;
mod judge;
mod limit;
mod output;
mod overrides;
mod panic;
mod report;
mod select;
mod timeout;
mod validate;

use std::{sync::Arc, time::Duration};

use tooldock_engine::LayerStack;

pub use self::{
    concurrency::{Concurrency, ConcurrencyLayer},
    judge::{SchemaProblem, check_output_schema, check_schema},
    output::{OutputCheck, OutputCheckLayer},
    overrides::{NamespaceLimits, Overrides},
    panic::{Panic, PanicLayer},
    report::{Report, ReportLayer},
    select::{PatternError, Select, SelectLayer, Selection, ToolPattern},
    timeout::{Timeout, TimeoutLayer},
    validate::{ArgumentRepair, Repaired, Validate, ValidateLayer},
};

/// What an operator can set on the layers of [`defaults`].
#[derive(Debug, Clone)]
pub struct LayerSettings {
    /// Whether arguments are repaired (setting `ARGUMENT_REPAIR`, on).
    pub repair: ArgumentRepair,
    /// Calls of one namespace that run at once (setting `NAMESPACE_MAX_CONCURRENCY`, 64).
    pub concurrency: usize,
    /// Calls of one namespace that may wait for their turn (64).
    pub waiting: usize,
    /// How long a call waits for its turn (5 s).
    pub patience: Duration,
    /// How long a tool without a limit of its own may take (setting `TOOL_CALL_TIMEOUT_SECONDS`, 30 s).
    pub timeout: Duration,
    /// What is different in single namespaces (nothing).
    pub overrides: Arc<Overrides>,
}

impl Default for LayerSettings {
    fn default() -> Self {
        Self {
            repair: ArgumentRepair::On,
            concurrency: 64,
            waiting: 64,
            patience: Duration::from_secs(5),
            timeout: Duration::from_secs(30),
            overrides: Arc::default(),
        }
    }
}

/// The layers every namespace gets, in the order in which a call meets them: panic, report, select, validate, concurrency,
/// timeout, output check.
///
/// Arguments are judged before a call takes a place in the queue, and the time in the queue is not the tool's time. Judging the
/// result is.
#[must_use]
pub fn defaults(settings: &LayerSettings) -> LayerStack {
    let overrides = || settings.overrides.clone();
    let concurrency = ConcurrencyLayer::new(settings.concurrency)
        .with_queue(settings.waiting, settings.patience)
        .with_overrides(overrides());
    LayerStack::new()
        .with(PanicLayer::new())
        .with(ReportLayer::new())
        .with(SelectLayer::new(overrides()))
        .with(ValidateLayer::new(settings.repair))
        .with(concurrency)
        .with(TimeoutLayer::new(settings.timeout).with_overrides(overrides()))
        .with(OutputCheckLayer::new())
}
