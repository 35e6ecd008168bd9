//! What tells of calls while the core runs: metrics, the audit log, traces.

use super::Failure;
use crate::{
    GatewayBuilder,
    audit::{AuditSettings, AuditWriter},
    config::CoreSettings,
    http::{Denials, HttpSettings},
    layers::{AuditLayer, LayerSettings, MetricsLayer, RedactLayer},
    telemetry::{CallMetrics, OtlpExporter},
};

/// What tells of calls.
pub(super) struct Witness {
    metrics: CallMetrics,
    audit: Option<AuditWriter>,
    exporter: Option<OtlpExporter>,
}

impl Witness {
    /// Starts what the settings ask for. Must be called within a Tokio runtime.
    pub(super) fn start(settings: &CoreSettings, redact: &RedactLayer) -> Result<Self, Failure> {
        let metrics = CallMetrics::new();
        let audit = settings.audit.clone().map(|audit| {
            AuditWriter::start(AuditSettings {
                redact: Some(redact.clone()),
                ..audit
            })
        });
        let otlp = settings.otlp.clone();
        let exporter = otlp
            .map(|otlp| OtlpExporter::start(otlp, metrics.clone()))
            .transpose();
        Ok(Self {
            metrics,
            audit: audit.transpose()?,
            exporter: exporter
                .map_err(|error| Failure::Run(format!("no client of OpenTelemetry: {error}")))?,
        })
    }

    /// Lets it see every call.
    pub(super) fn watch(&self, layers: &mut LayerSettings) {
        layers.metrics = Some(MetricsLayer::new(self.metrics.clone()));
        layers.audit = self.audit.as_ref().map(|audit| AuditLayer::new(audit.log()));
        layers.trace = self.exporter.as_ref().map(OtlpExporter::layer);
    }

    /// Lets it hear of every request that is turned away.
    pub(super) fn guard(&self, mut http: HttpSettings) -> HttpSettings {
        let log = self.audit.as_ref().map(AuditWriter::log);
        http.denials = log.map(|log| Denials::new(move |denial| log.deny(denial)));
        http
    }

    /// Lets the gateway show what it knows.
    pub(super) fn show(&self, gateway: GatewayBuilder) -> GatewayBuilder {
        let gateway = gateway.metrics(self.metrics.clone());
        match &self.audit {
            Some(audit) => gateway.audit(audit.log()),
            None => gateway,
        }
    }

    /// Writes and sends what is left.
    pub(super) async fn finish(self) {
        drop(self.audit);
        if let Some(exporter) = self.exporter {
            exporter.finish().await;
        }
    }
}
