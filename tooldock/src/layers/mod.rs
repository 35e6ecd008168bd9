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
mod panic;
mod timeout;
mod validate;

use std::time::Duration;

use tooldock_engine::LayerStack;

pub use self::{
    concurrency::{Concurrency, ConcurrencyLayer},
    panic::{Panic, PanicLayer},
    timeout::{Timeout, TimeoutLayer},
    validate::{ArgumentRepair, Repaired, SchemaProblem, Validate, ValidateLayer, check_schema},
};

/// What an operator can set on the layers of [`defaults`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
}

impl Default for LayerSettings {
    fn default() -> Self {
        Self {
            repair: ArgumentRepair::On,
            concurrency: 64,
            waiting: 64,
            patience: Duration::from_secs(5),
            timeout: Duration::from_secs(30),
        }
    }
}

/// The layers every namespace gets, in the order in which a call meets them: panic, validate, concurrency, timeout.
///
/// Arguments are judged before a call takes a place in the queue, and the time in the queue is not the tool's time.
#[must_use]
pub fn defaults(settings: &LayerSettings) -> LayerStack {
    LayerStack::new()
        .with(PanicLayer::new())
        .with(ValidateLayer::new(settings.repair))
        .with(ConcurrencyLayer::new(settings.concurrency).with_queue(settings.waiting, settings.patience))
        .with(TimeoutLayer::new(settings.timeout))
}
