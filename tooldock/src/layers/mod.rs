//! Policies around engines, each usable alone, and [the order](defaults) in which a call meets them.
//!
//! Every layer is a factory: it puts itself around the engine of a namespace and keeps what must outlive that engine. Alone:
//!
//! ```
//! use std::{sync::Arc, time::Duration};
//! use tooldock::{EngineLayer as _, StaticEngine, layers::TimeoutLayer};
//! let bounded = TimeoutLayer::new(Duration::from_secs(5)).layer(&"demo".parse()?, Arc::new(StaticEngine::builder().build()?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! All of them, with what an operator sets:
//!
//! ```
//! use std::{sync::Arc, time::Duration};
//! use tooldock::{EngineLayer as _, StaticEngine, layers::{AuthorizeLayer, LayerSettings, defaults}};
//! let mut settings = LayerSettings::default();
//! settings.timeout = Duration::from_secs(5);
//! settings.authorize = AuthorizeLayer::new(|caller, _namespace, _tool| caller.principal.name() != "guest");
//! let engine = defaults(&settings).layer(&"demo".parse()?, Arc::new(StaticEngine::builder().build()?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Any Tower layer joins them through [`TowerLayer`](tooldock_engine::bridge::TowerLayer).

mod audit;
mod authorize;
mod buckets;
mod budget;
mod concurrency;
mod ending;
mod judge;
mod limit;
mod metrics;
mod output;
mod overrides;
mod panic;
mod rate;
mod record;
mod redact;
mod repeats;
mod report;
mod select;
mod timeout;
mod trace;
mod validate;

use std::{sync::Arc, time::Duration};

use tooldock_engine::LayerStack;

pub use self::{
    audit::{Audit, AuditLayer, Audited},
    authorize::{Authorize, AuthorizeLayer},
    budget::{Budget, BudgetLayer},
    concurrency::{Concurrency, ConcurrencyLayer},
    judge::{SchemaProblem, check_output_schema, check_schema},
    metrics::{CallLabels, Meter, Metered, MetricsLayer},
    output::{OutputCheck, OutputCheckLayer},
    overrides::{NamespaceLimits, Overrides},
    panic::{Panic, PanicLayer},
    rate::{Rate, RateLayer, Rates},
    record::{CallRecord, Outcome, Subject},
    redact::{Redact, RedactLayer},
    report::{Report, ReportLayer},
    select::{Select, SelectLayer, Selection},
    timeout::{Timeout, TimeoutLayer},
    trace::{CallSpan, TraceLayer, Traced, Tracer},
    validate::{ArgumentRepair, Validate, ValidateLayer},
};

/// What can be set on the layers of [`defaults`]. Start from the default and change what differs.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct LayerSettings {
    /// Who is given requests as spans of traces (nobody).
    pub trace: Option<TraceLayer>,
    /// Who keeps account of requests (nobody).
    pub audit: Option<AuditLayer>,
    /// What counts requests (nothing).
    pub metrics: Option<MetricsLayer>,
    /// Who may use which tool (everybody those of his rights).
    pub authorize: AuthorizeLayer,
    /// Whether arguments are repaired (setting `ARGUMENT_REPAIR`, on).
    pub repair: ArgumentRepair,
    /// How often tools may be called (as often as anybody likes).
    pub rates: Rates,
    /// Seconds of processor time that one namespace may use in a minute, 0 for any number (setting
    /// `NAMESPACE_CPU_SECONDS_PER_MINUTE`, 0).
    pub cpu_seconds: u32,
    /// Calls of all namespaces that run at once (setting `MAX_CONCURRENCY`, 512).
    pub total: usize,
    /// Calls of one namespace that run at once (setting `NAMESPACE_MAX_CONCURRENCY`, 64), with those that may hold a thread
    /// counted apart.
    pub concurrency: usize,
    /// Calls of one namespace that may wait for their turn (64).
    pub waiting: usize,
    /// How long a call waits for its turn (5 s).
    pub patience: Duration,
    /// How long a tool without a limit of its own may take (setting `TOOL_CALL_TIMEOUT_SECONDS`, 30 s).
    pub timeout: Duration,
    /// What takes secrets out of results (nothing).
    pub redact: Option<RedactLayer>,
    /// What is different in single namespaces (nothing).
    pub overrides: Arc<Overrides>,
}

impl Default for LayerSettings {
    fn default() -> Self {
        Self {
            trace: None,
            audit: None,
            metrics: None,
            authorize: AuthorizeLayer::default(),
            repair: ArgumentRepair::On,
            rates: Rates::default(),
            cpu_seconds: 0,
            total: 512,
            concurrency: 64,
            waiting: 64,
            patience: Duration::from_secs(5),
            timeout: Duration::from_secs(30),
            redact: None,
            overrides: Arc::default(),
        }
    }
}

/// The layers every namespace gets, in the order in which a call meets them.
///
/// | Layer | Why there |
/// |---|---|
/// | trace | what comes behind it belongs to its span |
/// | audit, metrics | see every request, whatever becomes of it |
/// | panic | a panic further in is an error to those before it and to the log |
/// | report | logs what a caller is told, under his request id |
/// | authorize | before anything that could tell that a tool exists |
/// | select | the same, for tools that exist for nobody |
/// | validate | refuses without taking a place in the queue |
/// | rate | counts what would be carried out |
/// | concurrency | the time in the queue is not the tool's time |
/// | budget | asks once everything that ran before has been charged, and charges what ran out of time |
/// | timeout | the time to judge and clean a result is the tool's |
/// | redact | cleans what the output check says of a result, too |
/// | output check | judges what the tool returned, before anything is taken out of it |
#[must_use]
pub fn defaults(settings: &LayerSettings) -> LayerStack {
    let overrides = || settings.overrides.clone();
    let concurrency = ConcurrencyLayer::new(settings.concurrency)
        .with_queue(settings.waiting, settings.patience)
        .with_total(settings.total)
        .with_overrides(overrides());
    LayerStack::new()
        .with(settings.trace.clone())
        .with(settings.audit.clone())
        .with(settings.metrics.clone())
        .with(PanicLayer::new())
        .with(ReportLayer::new())
        .with(settings.authorize.clone())
        .with(SelectLayer::new(overrides()))
        .with(ValidateLayer::new(settings.repair))
        .with(RateLayer::new(settings.rates).with_overrides(overrides()))
        .with(concurrency)
        .with(BudgetLayer::new(settings.cpu_seconds).with_overrides(overrides()))
        .with(TimeoutLayer::new(settings.timeout).with_overrides(overrides()))
        .with(settings.redact.clone())
        .with(OutputCheckLayer::new())
}
