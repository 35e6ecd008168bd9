//! The task that sends.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use reqwest::{Client, header::CONTENT_TYPE, redirect::Policy};
use serde_json::{Value, json};
use tokio::{
    sync::mpsc::{self, error::TrySendError},
    time::{interval, timeout},
};
use tokio_util::{
    sync::CancellationToken,
    task::{AbortOnDropHandle, TaskTracker},
};

use super::{OtlpSettings, numbers, spans};
use crate::{
    layers::{CallSpan, TraceLayer, Tracer},
    telemetry::CallMetrics,
};

/// Spans that may wait to be sent; further ones are lost.
const WAITING: usize = 4096;
/// Spans that are sent at once.
const AT_ONCE: usize = 512;
/// How often what waits is sent.
const EVERY: Duration = Duration::from_secs(1);
/// After how many times of that the metrics are.
const NUMBERS_EVERY: u32 = 30;
/// How long the collector may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Sends spans and metrics to a collector. What it cannot send is lost and told once; calls never wait for it.
pub struct OtlpExporter {
    spans: mpsc::Sender<CallSpan>,
    lost: Arc<AtomicU64>,
    stop: CancellationToken,
    task: AbortOnDropHandle<()>,
}

impl OtlpExporter {
    /// Starts the task that sends spans, and what `metrics` has counted.
    ///
    /// Must be called within a Tokio runtime.
    ///
    /// # Errors
    /// When no client can be made, because the system has no certificates for example.
    pub fn start(settings: OtlpSettings, metrics: CallMetrics) -> Result<Self, reqwest::Error> {
        let (spans, waiting) = mpsc::channel(WAITING);
        let lost = Arc::new(AtomicU64::new(0));
        let client = Client::builder()
            .redirect(Policy::none())
            .timeout(PATIENCE)
            .build()?;
        let sending = Sending {
            client,
            resource: json!({"attributes": [
                spans::attribute("service.name", &settings.service),
                spans::attribute("service.version", env!("CARGO_PKG_VERSION")),
            ]}),
            settings,
            metrics,
            began: SystemTime::now(),
            waiting,
            lost: lost.clone(),
            troubled: false,
        };
        let stop = CancellationToken::new();
        let task = TaskTracker::new().spawn(sending.run(stop.clone()));
        Ok(Self {
            spans,
            lost,
            stop,
            task: AbortOnDropHandle::new(task),
        })
    }

    /// The layer whose spans are sent.
    #[must_use]
    pub fn layer(&self) -> TraceLayer {
        TraceLayer::new(Outgoing {
            spans: self.spans.clone(),
            lost: self.lost.clone(),
        })
    }

    /// Sends what is left and ends the task; gives up when the collector takes no longer than it may.
    ///
    /// # Cancel safety
    /// Dropping the future ends the task at once.
    pub async fn finish(self) {
        self.stop.cancel();
        if timeout(2 * PATIENCE, self.task).await.is_err() {
            tracing::warn!("the collector of OpenTelemetry did not take what was left");
        }
    }
}

impl fmt::Debug for OtlpExporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OtlpExporter")
    }
}

/// The way of spans to the task.
struct Outgoing {
    spans: mpsc::Sender<CallSpan>,
    lost: Arc<AtomicU64>,
}

impl Tracer for Outgoing {
    fn ended(&self, span: CallSpan) {
        if let Err(TrySendError::Full(_)) = self.spans.try_send(span) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// What the task has.
struct Sending {
    client: Client,
    settings: OtlpSettings,
    resource: Value,
    metrics: CallMetrics,
    began: SystemTime,
    waiting: mpsc::Receiver<CallSpan>,
    lost: Arc<AtomicU64>,
    troubled: bool,
}

impl Sending {
    async fn run(mut self, stop: CancellationToken) {
        let mut ticks = interval(EVERY);
        for count in 1_u32.. {
            let ending = tokio::select! {
                _ = ticks.tick() => false,
                () = stop.cancelled() => true,
            };
            self.send_spans().await;
            if ending || count % NUMBERS_EVERY == 0 {
                let body = numbers::body(&self.resource, &self.metrics, self.began);
                self.send("/v1/metrics", &body).await;
            }
            if ending {
                return;
            }
        }
    }

    async fn send_spans(&mut self) {
        let mut batch = Vec::new();
        loop {
            while batch.len() < AT_ONCE {
                let Ok(span) = self.waiting.try_recv() else { break };
                batch.push(span);
            }
            if batch.is_empty() {
                return;
            }
            let body = spans::body(&self.resource, &batch);
            if !self.send("/v1/traces", &body).await {
                self.lost.fetch_add(batch.len() as u64, Ordering::Relaxed);
            }
            batch.clear();
        }
    }

    /// Sends a body; whether it was taken. Only changes of that are told.
    async fn send(&mut self, path: &str, body: &Value) -> bool {
        let url = format!("{}{path}", self.settings.endpoint);
        let request = self.client.post(&url).header(CONTENT_TYPE, "application/json");
        let answer = request.body(body.to_string()).send().await;
        let trouble = match answer.and_then(reqwest::Response::error_for_status) {
            Ok(_) => None,
            Err(error) => Some(error.without_url().to_string()),
        };
        let lost = self.lost.load(Ordering::Relaxed);
        match (&trouble, self.troubled) {
            (Some(error), false) => tracing::warn!(
                url,
                error,
                lost,
                "the collector of OpenTelemetry takes nothing (OTEL_EXPORTER_OTLP_ENDPOINT)"
            ),
            (None, true) => tracing::info!(url, lost, "the collector of OpenTelemetry takes data again"),
            _ => {}
        }
        self.troubled = trouble.is_some();
        !self.troubled
    }
}
