//! The settings of traces and metrics that are sent to a collector.

use super::reader::Reader;
use crate::telemetry::OtlpSettings;

/// Reads where they are sent; nothing when nobody wants them.
pub(super) fn read(read: &mut Reader<'_>) -> Option<OtlpSettings> {
    let service = read.text("OTEL_SERVICE_NAME");
    let endpoint = read.optional("OTEL_EXPORTER_OTLP_ENDPOINT")?;
    let fits = reqwest::Url::parse(&endpoint).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    if !fits {
        read.mistakes.push(format!(
            "OTEL_EXPORTER_OTLP_ENDPOINT is `{}`; it must be an address such as `http://127.0.0.1:4318`",
            endpoint.escape_debug()
        ));
    }
    let mut settings = OtlpSettings::new(&endpoint);
    settings.service = service;
    Some(settings)
}
