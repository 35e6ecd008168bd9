//! What a gateway counts and measures, for `GET /metrics` in the text format of Prometheus.
//!
//! [`FAMILIES`] declares every family once. What happens with calls is counted by [`CallMetrics`] as it happens; everything else is read
//! when somebody asks: the processes of namespaces, sessions and streams, reloads, the audit log, the program itself.
//!
//! ```
//! use tooldock::{Gateway, http::Bearer, layers::{LayerSettings, MetricsLayer, defaults}, telemetry::CallMetrics};
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), tooldock::BuildError> {
//! let metrics = CallMetrics::new();
//! let mut settings = LayerSettings::default();
//! settings.metrics = Some(MetricsLayer::new(metrics.clone()));
//! let gateway = Gateway::builder().layers(defaults(&settings)).metrics(metrics).bearer(Bearer::anonymous()).build()?;
//! # Ok(()) }
//! ```

mod calls;
mod family;
mod histogram;
#[cfg(feature = "otel")]
mod otel;
mod page;

#[cfg(feature = "otel")]
pub use self::otel::{OtlpExporter, OtlpSettings};
pub use self::{
    calls::CallMetrics,
    family::{FAMILIES, Family, FamilyKind, as_markdown},
};
pub(crate) use self::{family::*, page::Page};
