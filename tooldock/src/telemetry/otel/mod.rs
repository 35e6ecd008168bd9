//! Traces and metrics for a collector of OpenTelemetry: OTLP over HTTP, as JSON.
//!
//! Each request is a span, and below it what it went through: `queue`, `engine`, and below that `worker`. A request that comes with a
//! `traceparent` (in `_meta`, or else as a header) goes on with that trace, and workers are given the one they belong to.
//!
//! ```no_run
//! use tooldock::{layers::LayerSettings, telemetry::{CallMetrics, OtlpExporter, OtlpSettings}};
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let metrics = CallMetrics::new();
//! let exporter = OtlpExporter::start(OtlpSettings::new("http://127.0.0.1:4318"), metrics)?;
//! let mut settings = LayerSettings::default();
//! settings.trace = Some(exporter.layer());
//! // … build a gateway with `layers::defaults(&settings)` and serve …
//! exporter.finish().await; // sends what is left
//! # Ok(()) }
//! ```

mod exporter;
mod numbers;
mod settings;
mod spans;

pub use self::{exporter::OtlpExporter, settings::OtlpSettings};
