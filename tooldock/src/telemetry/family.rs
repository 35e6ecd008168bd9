//! Every family of metrics, declared once.

use std::fmt::Write as _;

/// What the numbers of a family are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FamilyKind {
    /// Only grows, until the program starts again.
    Counter,
    /// Goes up and down.
    Gauge,
    /// How many values were at most so large.
    Histogram,
}

impl FamilyKind {
    /// The word of the text format.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

/// Metrics of one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Family {
    /// The name, which ends in the unit.
    pub name: &'static str,
    /// What the numbers are.
    pub kind: FamilyKind,
    /// The names of the labels.
    pub labels: &'static [&'static str],
    /// What it tells.
    pub help: &'static str,
}

macro_rules! families {
    ($($id:ident: $kind:ident $name:literal [$($label:literal)*] $help:literal;)*) => {
        $(pub(crate) const $id: Family = Family {
            name: $name,
            kind: FamilyKind::$kind,
            labels: &[$($label),*],
            help: $help,
        };)*

        /// Every family that `/metrics` may show, in its order.
        pub const FAMILIES: &[Family] = &[$($id),*];
    };
}

families! {
    BUILD: Gauge "tooldock_build_info" ["version"] "Always 1; the version is the label.";
    CALLS: Counter "tooldock_calls_total" ["namespace" "what" "tool" "door" "outcome"] "Requests that have ended. `what` is `tool`, `resource`, `prompt` or `completion`; `tool` is empty for names that the namespace does not list; `outcome` is `ok`, `abandoned` or the code of an error.";
    CALLS_RUNNING: Gauge "tooldock_calls_running" ["namespace" "what" "tool" "door"] "Requests that run or wait for their turn.";
    CALL_SECONDS: Histogram "tooldock_call_duration_seconds" ["namespace" "what" "tool" "door"] "How long requests took, the time in the queue and the answers of their clients included.";
    QUEUE_SECONDS: Counter "tooldock_queue_seconds_total" ["namespace" "what" "tool" "door"] "How long requests have waited for their turn, all together.";
    NAMESPACE_STATE: Gauge "tooldock_namespace_state" ["namespace" "state"] "1 for the state that a namespace is in: `starting`, `serving`, `asleep`, `restarting`, `failed` or `stopped`.";
    NAMESPACE_STALE: Gauge "tooldock_namespace_stale" ["namespace"] "1 while the newest version of its files does not run.";
    WORKER_STARTS: Counter "tooldock_worker_starts_total" ["namespace" "worker"] "How often the worker of this number was started since the namespace was put in place.";
    WORKER_REQUESTS: Gauge "tooldock_worker_requests" ["namespace" "worker"] "Requests that a worker works on.";
    WORKER_CPU: Counter "tooldock_worker_cpu_seconds_total" ["namespace" "worker"] "Processor time that the process of a worker has used since it was started.";
    WORKER_RESIDENT: Gauge "tooldock_worker_resident_bytes" ["namespace" "worker"] "Memory that the process of a worker holds.";
    SESSIONS: Gauge "tooldock_mcp_sessions" [] "Sessions of MCP that are open.";
    STREAMS: Gauge "tooldock_mcp_streams" [] "Event streams of MCP that answer no call.";
    MCP_CALLS: Gauge "tooldock_mcp_calls" [] "Requests of MCP that run, waiting ones and those whose client is gone included.";
    RELOADS: Counter "tooldock_reloads_total" ["result"] "Reloads that have ended: `ok`, or `failed` when a namespace or the folder could not be loaded.";
    SNAPSHOT: Gauge "tooldock_snapshot_revision" [] "How often engines were put in place or taken out; records of the audit log carry it.";
    READY: Gauge "tooldock_ready" [] "1 while the gateway takes calls: its namespaces are loaded, and it is not ending.";
    AUDIT_RECORDS: Counter "tooldock_audit_records_total" ["result"] "Records of the audit log: `written` or `lost`.";
    AUDIT_WAITING: Gauge "tooldock_audit_waiting" [] "Places in the queue of the audit log that are taken.";
    AUDIT_WRITABLE: Gauge "tooldock_audit_writable" [] "1 while the audit log can be written.";
    CONNECTIONS: Gauge "tooldock_connections" [] "Connections that are open. These three are of the gateway's own server: an application that embeds it has its own.";
    CONNECTIONS_ACCEPTED: Counter "tooldock_connections_accepted_total" [] "Connections that were accepted.";
    REFUSALS: Counter "tooldock_http_refusals_total" ["status"] "Requests that were answered with a status of 400 or more.";
    PROCESS_CPU: Counter "process_cpu_seconds_total" [] "Processor time of the gateway itself, without its workers.";
    PROCESS_RESIDENT: Gauge "process_resident_memory_bytes" [] "Memory that the gateway itself holds.";
    PROCESS_FILES: Gauge "process_open_fds" [] "Files and connections that the gateway has open.";
}

/// The table as a page of Markdown, for `docs/metrics.md`.
#[must_use]
pub fn as_markdown() -> String {
    let mut page = String::from(
        "# Metrics\n\nGenerated from the table in `tooldock::telemetry`; do not edit.\n\n\
         `GET /metrics` with a bearer token shows them in the text format of Prometheus. No label is made up by a caller: names that \
         nobody lists are counted together, so there are as many series as tools. A `worker` is the number of a process within its \
         namespace, from 0 on.\n\n\
         | Family | Kind | Labels | Meaning |\n|---|---|---|---|\n",
    );
    for Family {
        name,
        kind,
        labels,
        help,
    } in FAMILIES
    {
        let labels = match labels {
            [] => String::new(),
            labels => format!("`{}`", labels.join("`, `")),
        };
        writeln!(page, "| `{name}` | {} | {labels} | {help} |", kind.label())
            .expect("a String takes every text");
    }
    page
}
