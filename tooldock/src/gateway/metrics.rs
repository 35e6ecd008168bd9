//! `GET /metrics`: everything that is counted, read at this moment.

use std::sync::atomic::Ordering;

use axum::{Extension, body::Body, extract::State, http::Response, response::IntoResponse as _};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use tooldock_engine::{Caller, Door, EngineError, ErrorKind, context::RequestId};

use super::routes::Shared;
use crate::{
    audit::AuditStatus,
    http::answer,
    registry::{Namespace, ProcessLine},
    telemetry::{self, Family, Page},
};

/// They tell of every namespace, so they are for callers who may use all.
pub(super) async fn metrics(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    id: Option<Extension<RequestId>>,
) -> Response<Body> {
    if !caller.principal.rights().has_all_tools() {
        let text = "metrics tell of every namespace, so they need a token without limits";
        let error = EngineError::new(ErrorKind::Forbidden, text);
        return answer(Door::Rest, &error, id.as_deref());
    }
    let mut page = Page::default();
    page.family(&telemetry::BUILD, |samples| {
        samples.add(&[env!("CARGO_PKG_VERSION")], 1.0);
    });
    if let Some(calls) = &shared.metrics {
        calls.write(&mut page);
    }
    let snapshot = shared.registry.snapshot();
    write_namespaces(&mut page, &snapshot.describe());
    #[cfg(feature = "mcp")]
    {
        let mcp = &shared.mcp;
        page.single(&telemetry::SESSIONS, mcp.sessions().count().await as f64);
        page.single(&telemetry::STREAMS, mcp.streams() as f64);
        page.single(&telemetry::MCP_CALLS, mcp.calls() as f64);
    }
    page.family(&telemetry::RELOADS, |samples| {
        let reloads = shared.registry.reloads();
        samples.add(&["ok"], reloads.ok.load(Ordering::Relaxed) as f64);
        samples.add(&["failed"], reloads.failed.load(Ordering::Relaxed) as f64);
    });
    page.single(&telemetry::SNAPSHOT, snapshot.revision().0 as f64);
    page.single(&telemetry::READY, f64::from(u8::from(shared.registry.is_ready())));
    if let Some(log) = &shared.audit {
        write_audit(&mut page, &log.status());
    }
    page.single(&telemetry::CONNECTIONS, shared.traffic.open() as f64);
    page.single(&telemetry::CONNECTIONS_ACCEPTED, shared.traffic.accepted() as f64);
    page.family(&telemetry::REFUSALS, |samples| {
        for (status, count) in shared.traffic.refused() {
            samples.add(&[&status.to_string()], count as f64);
        }
    });
    write_process(&mut page);
    let headers = [(CONTENT_TYPE, Page::CONTENT_TYPE), (CACHE_CONTROL, "no-store")];
    (headers, page.finish()).into_response()
}

fn write_namespaces(page: &mut Page, namespaces: &[Namespace]) {
    page.family(&telemetry::NAMESPACE_STATE, |samples| {
        for namespace in namespaces {
            samples.add(&[namespace.name.as_str(), namespace.state.state], 1.0);
        }
    });
    page.family(&telemetry::NAMESPACE_STALE, |samples| {
        for namespace in namespaces {
            let stale = f64::from(u8::from(namespace.failure.is_some()));
            samples.add(&[namespace.name.as_str()], stale);
        }
    });
    type Read = fn(&ProcessLine) -> Option<f64>;
    let families: [(Family, Read); 4] = [
        (telemetry::WORKER_STARTS, |process| Some(process.starts as f64)),
        (telemetry::WORKER_REQUESTS, |process| Some(process.open as f64)),
        (telemetry::WORKER_CPU, |process| process.processor_seconds),
        (telemetry::WORKER_RESIDENT, |process| {
            Some(process.resident_bytes? as f64)
        }),
    ];
    for (family, read) in families {
        page.family(&family, |samples| {
            for namespace in namespaces {
                for (number, process) in namespace.state.processes.iter().enumerate() {
                    if let Some(value) = read(process) {
                        samples.add(&[namespace.name.as_str(), &number.to_string()], value);
                    }
                }
            }
        });
    }
}

fn write_audit(page: &mut Page, status: &AuditStatus) {
    page.family(&telemetry::AUDIT_RECORDS, |samples| {
        samples.add(&["written"], status.written as f64);
        samples.add(&["lost"], status.lost as f64);
    });
    page.single(&telemetry::AUDIT_WAITING, status.waiting as f64);
    page.single(
        &telemetry::AUDIT_WRITABLE,
        f64::from(u8::from(status.trouble.is_none())),
    );
}

/// The program itself, where the system tells.
fn write_process(page: &mut Page) {
    #[cfg(feature = "worker")]
    if let Some(usage) = tooldock_worker::Usage::of(std::process::id()) {
        page.single(&telemetry::PROCESS_CPU, usage.processor.as_secs_f64());
        page.single(&telemetry::PROCESS_RESIDENT, usage.resident as f64);
    }
    if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
        page.single(&telemetry::PROCESS_FILES, files.count() as f64);
    }
}
