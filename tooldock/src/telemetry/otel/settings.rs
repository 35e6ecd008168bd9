//! Where traces and metrics are sent.

/// Where traces and metrics are sent. Start from [`new`](Self::new) and change what differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OtlpSettings {
    /// The address of the collector (`OTEL_EXPORTER_OTLP_ENDPOINT`), to which `/v1/traces` and `/v1/metrics` are added.
    pub endpoint: String,
    /// What this gateway is called there (`OTEL_SERVICE_NAME`, `tooldock`).
    pub service: String,
}

impl OtlpSettings {
    /// The defaults, for the collector at `endpoint`.
    #[must_use]
    pub fn new(endpoint: &str) -> Self {
        Self {
            endpoint: endpoint.trim_end_matches('/').to_owned(),
            service: "tooldock".to_owned(),
        }
    }
}
