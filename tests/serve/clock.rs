//! Which parts look at the wall clock.

use std::fs;
use std::path::{Path, PathBuf};

/// Files that may look at the wall clock: what they make of it is shown to people, or is checked by other machines.
const ALLOWED: &[(&str, &str)] = &[
    ("tooldock-worker/src/output/tail.rs", "the time of a log line"),
    (
        "tooldock-secrets/src/clock.rs",
        "`created_at` of the file of secrets",
    ),
    (
        "tooldock-mcp/src/input/ticket.rs",
        "a ticket may be taken by another server that has the same key",
    ),
    ("tooldock-mcp/src/input/desk.rs", "checks those tickets"),
    (
        "tooldock-mcp/src/input/keeper.rs",
        "its example opens those tickets at a given time",
    ),
    (
        "tooldock/src/config/token_list.rs",
        "a token ends on the day that its list says",
    ),
    (
        "tooldock/src/http/bearer/token.rs",
        "tells whether that day has come",
    ),
    (
        "tooldock/src/http/oauth/claims.rs",
        "a signed token ends when it says",
    ),
    (
        "tooldock/src/http/bearer/tokens.rs",
        "its tests use tokens that end",
    ),
    (
        "tooldock/src/http/bearer/visit.rs",
        "ends streams on that day, and looks anew each minute",
    ),
    ("tooldock/src/audit/day.rs", "a file a day"),
    ("tooldock/src/audit/call.rs", "the time of a record"),
    ("tooldock/src/audit/denied.rs", "the time of a record"),
    (
        "tooldock/src/audit/log.rs",
        "takes the clock that its records are given",
    ),
    ("tooldock/src/audit/writer/mod.rs", "the time of a record"),
    ("tooldock/src/audit/line.rs", "its test makes a line"),
    ("tooldock/src/audit/tests.rs", "sets the clock of the audit log"),
    (
        "tooldock/src/layers/trace.rs",
        "when a step began, for collectors",
    ),
    ("tooldock/src/telemetry/otel/spans.rs", "the times of spans"),
    ("tooldock/src/telemetry/otel/numbers.rs", "the times of numbers"),
    (
        "tooldock/src/telemetry/otel/exporter.rs",
        "since when numbers are counted",
    ),
    (
        "tooldock/src/manager/repo/shelf.rs",
        "orders snapshots by the time of their folders",
    ),
    (
        "tooldock/src/registry/folders/history.rs",
        "sets the time that versions are ordered by",
    ),
];

/// What stands in a file that looks at the wall clock, in Rust or in Python, whatever way it takes.
const WALLS: &[&str] = &[
    "SystemTime",
    "UNIX_EPOCH",
    "chrono::",
    "OffsetDateTime",
    "Realtime",
    "CLOCK_REALTIME",
    "time.time(",
    "time.time_ns(",
    "time.clock_gettime",
    "from time import",
    "import time as",
    "datetime.now(",
    "datetime.today(",
    "date.today(",
    "utcnow(",
    "localtime(",
    "gmtime(",
    "strftime(",
    "ctime(",
];

fn reads_the_clock(text: &str) -> bool {
    WALLS.iter().any(|wall| text.contains(wall))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "py") {
            found.push(path);
        }
    }
}

/// R22: timeouts, expiries and restarts do not see the wall clock, so a jump of a day changes none of them.
#[test]
fn r22_nothing_that_waits_or_expires_reads_the_wall_clock() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    for folder in [
        "tooldock-engine/src",
        "tooldock-mcp/src",
        "tooldock-openapi/src",
        "tooldock-secrets/src",
        "tooldock/src",
    ] {
        sources(&root.join(folder), &mut found);
    }
    sources(&root.join("tooldock-worker/src"), &mut found);
    sources(&root.join("tooldock-worker/python/tooldock_worker"), &mut found);
    assert!(found.len() > 200, "{}", found.len());
    let reads = |path: &&PathBuf| reads_the_clock(&fs::read_to_string(path).unwrap());
    let name = |path: &PathBuf| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
    let mut reading: Vec<String> = found.iter().filter(reads).map(name).collect();
    reading.retain(|path| !ALLOWED.iter().any(|(allowed, _)| allowed == path));
    assert_eq!(reading, Vec::<String>::new(), "these look at the wall clock");
}

/// R22: the usual ways to the wall clock are seen, under another name as well.
#[test]
fn r22_each_way_to_the_wall_clock_is_seen() {
    for way in [
        "SystemTime::now()",
        "use std::time::SystemTime as Wall;",
        "fn old(at: std::time::SystemTime) -> bool { at.elapsed().is_ok() }",
        "chrono::Utc::now()",
        "clock_gettime(ClockId::Realtime)",
        "time.time()",
        "time.time_ns()",
        "from time import time",
        "import time as clock",
        "time.clock_gettime(time.CLOCK_REALTIME)",
        "datetime.now()",
        "datetime.today()",
        "time.localtime()",
        "time.gmtime()",
        "time.strftime('%s')",
    ] {
        assert!(reads_the_clock(way), "{way}");
    }
    for other in [
        "Instant::now()",
        "time.monotonic()",
        "import time\n",
        "tokio::time::sleep(pause)",
    ] {
        assert!(!reads_the_clock(other), "{other}");
    }
}
