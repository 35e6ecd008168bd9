//! The log from a call to its line, on disks that fail and at midnight.

use std::{
    fs,
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tooldock_engine::{
    CallContext, Caller, Door, EngineExt as _, EngineLayer as _, RawJson, StaticEngine, Tool, ToolEngine,
    ToolOutput,
    context::{Principal, TraceContext},
    error::Result,
    secret::Redactor,
};

use super::{
    page::{Paper, open_file},
    *,
};
use crate::layers::{AuditLayer, RedactLayer};

/// 2026-11-27 23:59:59 in UTC.
const LATE: u64 = 1_795_823_999;
/// The file of the day that begins a second later.
const TODAY: &str = "2026-11-28.jsonl";

/// A clock that stands where it is put, in seconds since 1970.
#[derive(Clone)]
struct Hand(Arc<AtomicU64>);

impl Hand {
    fn at(seconds: u64) -> Self {
        Self(Arc::new(AtomicU64::new(seconds)))
    }

    fn move_on(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::Relaxed);
    }

    fn move_back(&self, seconds: u64) {
        self.0.fetch_sub(seconds, Ordering::Relaxed);
    }

    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(self.0.load(Ordering::Relaxed))
    }
}

/// A log in a folder of its own, and an engine that keeps it.
struct Desk {
    folder: TempDir,
    hand: Hand,
}

impl Desk {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            hand: Hand::at(LATE),
        }
    }

    fn settings(&self) -> AuditSettings {
        AuditSettings::new(self.folder.path())
    }

    fn start(&self, settings: AuditSettings) -> AuditWriter {
        self.start_on(settings, open_file)
    }

    fn start_on(
        &self,
        settings: AuditSettings,
        open: impl FnMut(&Path) -> io::Result<Box<dyn Paper>> + Send + 'static,
    ) -> AuditWriter {
        let hand = self.hand.clone();
        AuditWriter::start_on(settings, Box::new(move || hand.now()), Box::new(open)).unwrap()
    }

    /// Writes a log with a chain of two days, two calls each.
    async fn write_chain(&self) -> AuditSettings {
        let settings = AuditSettings {
            chain: true,
            ..self.settings()
        };
        let writer = self.start(settings.clone());
        for _ in 0..2 {
            call(&writer, "t").await.unwrap();
            call(&writer, "t").await.unwrap();
            self.hand.move_on(1);
        }
        settings
    }

    fn lines(&self, file: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.folder.path().join(file)).unwrap();
        assert!(text.ends_with('\n'), "{text}");
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn rewrite(&self, file: &str, change: impl FnOnce(String) -> String) {
        let path = self.folder.path().join(file);
        fs::write(&path, change(fs::read_to_string(&path).unwrap())).unwrap();
    }
}

fn engine(writer: &AuditWriter) -> Arc<dyn ToolEngine> {
    let tool = Tool::new("t".parse().unwrap());
    let engine = StaticEngine::builder().tool(tool, async |cx: CallContext, arguments: RawJson| {
        cx.facts().add_processor(Duration::from_micros(1500));
        Ok(ToolOutput::structured(&arguments))
    });
    let layer = AuditLayer::new(writer.log());
    layer.layer(&"demo".parse().unwrap(), Arc::new(engine.build().unwrap()))
}

fn cx() -> CallContext {
    CallContext::new(Caller::local(), "demo".parse().unwrap())
}

async fn call(writer: &AuditWriter, tool: &str) -> Result<ToolOutput> {
    engine(writer)
        .call_tool(cx(), tool, RawJson::empty_object())
        .await
}

fn eventually(what: &str, holds: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < end, "never: {what}");
        std::thread::yield_now();
    }
}

#[tokio::test(start_paused = true)]
async fn s104_a_record_says_who_did_what_and_how_it_ended() {
    let desk = Desk::new();
    let writer = desk.start(desk.settings());
    let caller = Caller {
        principal: Principal::new("ann"),
        door: Door::Mcp,
        peer: Some("192.0.2.7".parse().unwrap()),
    };
    let cx = CallContext::new(caller, "demo".parse().unwrap())
        .with_request_id("r-1")
        .with_protocol("2025-11-25")
        .with_trace(TraceContext {
            parent: Some("00-1-2-01".into()),
            state: None,
        })
        .with_revision(3);
    engine(&writer)
        .call_tool(cx, "t", RawJson::from(json!({"n": "canary"})))
        .await
        .unwrap();
    call(&writer, "none").await.unwrap_err();
    drop(writer);
    let lines = desk.lines("2026-11-27.jsonl");
    assert_eq!(lines[0]["event"], "opened");
    assert_eq!(
        lines[1],
        json!({
            "time": "2026-11-27T23:59:59.000Z", "event": "call", "request_id": "r-1", "traceparent": "00-1-2-01",
            "principal": "ann", "peer": "192.0.2.7", "door": "mcp", "protocol": "2025-11-25",
            "namespace": "demo", "what": "tool", "name": "t", "verdict": "allowed", "outcome": "ok",
            "took_ms": 0.0, "queued_ms": 0.0, "worked_ms": 0.0, "processor_ms": 1.5, "request_bytes": 14, "reply_bytes": lines[1]["reply_bytes"],
            "repaired": false, "snapshot": 3,
        })
    );
    assert_eq!(
        (&lines[2]["verdict"], &lines[2]["outcome"]),
        (&json!("denied"), &json!("tool_not_found"))
    );
}

/// F32: the log grows by a few hundred bytes a call, whatever callers send.
#[tokio::test]
async fn f32_a_record_is_short_whatever_is_sent() {
    let desk = Desk::new();
    let writer = desk.start(desk.settings());
    let long = "\u{202e}".repeat(10_000);
    let cx = cx().with_request_id(long.as_str()).with_trace(TraceContext {
        parent: Some("x".repeat(10_000).into()),
        state: None,
    });
    let engine = engine(&writer);
    engine
        .call_tool(cx.clone(), "t", RawJson::string(&long))
        .await
        .unwrap();
    engine
        .read_resource(cx, &format!("note://{long}"))
        .await
        .unwrap_err();
    drop(writer);
    for line in &desk.lines("2026-11-27.jsonl")[1..] {
        assert!(line.to_string().len() < 1500, "{line}");
    }
    let size = fs::metadata(desk.folder.path().join("2026-11-27.jsonl"))
        .unwrap()
        .len();
    assert!(size < 4000, "{size}");
}

#[derive(Debug)]
struct NoCanary;

impl Redactor for NoCanary {
    fn redact<'a>(&self, text: &'a [u8]) -> std::borrow::Cow<'a, [u8]> {
        let text = std::str::from_utf8(text).unwrap();
        match text.contains("canary") {
            true => text.replace("canary", "[redacted:X]").into_bytes().into(),
            false => text.as_bytes().into(),
        }
    }
}

#[tokio::test]
async fn s104_contents_are_recorded_when_asked_for_without_secrets_and_cut() {
    let desk = Desk::new();
    let writer = desk.start(AuditSettings {
        content_bytes: 24,
        redact: Some(RedactLayer::new(|_namespace| Some(Arc::new(NoCanary)))),
        ..desk.settings()
    });
    let arguments = RawJson::from(json!({"n": "a canary", "rest": "of it"}));
    engine(&writer).call_tool(cx(), "t", arguments).await.unwrap();
    drop(writer);
    let line = &desk.lines("2026-11-27.jsonl")[1];
    assert_eq!(line["arguments"], r#"{"n":"a [redacted:X]","r"#);
    assert_eq!(
        line["result"], r#"{"n":"a canary","rest":""#,
        "results come clean from behind the layers"
    );
}

#[tokio::test]
async fn records_go_into_the_file_of_their_day_and_never_back() {
    let desk = Desk::new();
    let writer = desk.start(AuditSettings {
        keep_days: 1,
        ..desk.settings()
    });
    fs::write(desk.folder.path().join("2026-11-26.jsonl"), "").unwrap();
    call(&writer, "t").await.unwrap();
    desk.hand.move_on(1);
    call(&writer, "t").await.unwrap();
    eventually("both are written", || writer.log().status().written == 2);
    desk.hand.0.store(LATE, Ordering::Relaxed);
    call(&writer, "t").await.unwrap();
    drop(writer);
    assert_eq!(desk.lines("2026-11-27.jsonl").len(), 2);
    let later = || desk.lines("2026-11-28.jsonl").len();
    assert_eq!(later(), 3, "the clock went back, the file did not");
    let files = folder::files(desk.folder.path()).unwrap();
    assert_eq!(files.len(), 2, "what is too old is gone: {files:?}");
    drop(desk.start(desk.settings()));
    assert_eq!(later(), 3, "nothing is written without a record");
    let writer = desk.start(desk.settings());
    call(&writer, "t").await.unwrap();
    drop(writer);
    assert_eq!(later(), 5, "nor does a program go back that is started anew");
}

/// A file on a disk with room for so many bytes.
struct Full {
    file: Box<dyn Paper>,
    room: Arc<AtomicU64>,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = usize::try_from(self.room.load(Ordering::Relaxed)).unwrap();
        if room == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let written = self.file.write(&bytes[..bytes.len().min(room)])?;
        self.room.fetch_sub(written as u64, Ordering::Relaxed);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Read for Full {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl Seek for Full {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Paper for Full {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.cut(length)
    }

    fn is_gone(&self) -> io::Result<bool> {
        self.file.is_gone()
    }

    fn hold(&self, alone: bool) -> io::Result<()> {
        self.file.hold(alone)
    }

    fn flush_to_disk(&self) -> io::Result<()> {
        self.file.flush_to_disk()
    }
}

/// A disk with room for `room` bytes, and the way to give it more.
fn disk(
    room: u64,
) -> (
    Arc<AtomicU64>,
    impl FnMut(&Path) -> io::Result<Box<dyn Paper>> + Send,
) {
    let room = Arc::new(AtomicU64::new(room));
    let shared = room.clone();
    let open = move |path: &Path| {
        Ok(Box::new(Full {
            file: open_file(path)?,
            room: shared.clone(),
        }) as Box<dyn Paper>)
    };
    (room, open)
}

/// A disk that is full in the middle of a line stops no call; what was recorded meanwhile is written once there is room, each line once.
#[tokio::test]
async fn s105_a_full_disk_stops_no_call_and_heals() {
    let desk = Desk::new();
    let (room, open) = disk(600);
    let writer = desk.start_on(
        AuditSettings {
            queue: 8,
            chain: true,
            ..desk.settings()
        },
        open,
    );
    let status = || writer.log().status();
    call(&writer, "t").await.unwrap();
    while status().trouble.is_none() {
        call(&writer, "t").await.unwrap();
    }
    for _ in 0..20 {
        call(&writer, "t").await.unwrap();
    }
    let full = status();
    assert!(full.lost >= 12 && full.waiting == 8, "{full:?}");
    room.store(1 << 20, Ordering::Relaxed);
    eventually("it is written again", || status().waiting == 0);
    let healed = status();
    assert_eq!(healed.trouble, None);
    drop(writer);
    let lines = desk.lines("2026-11-27.jsonl");
    let calls = lines.iter().filter(|line| line["event"] == "call");
    assert_eq!(calls.count() as u64, healed.written);
    let lost = lines.iter().filter_map(|line| line["records"].as_u64());
    assert_eq!(
        lost.sum::<u64>(),
        healed.lost,
        "the file itself says that records are missing"
    );
    verify(desk.folder.path(), None).unwrap();
}

#[tokio::test]
async fn s105_calls_are_refused_when_none_may_go_unrecorded() {
    let desk = Desk::new();
    let (room, open) = disk(0);
    let writer = desk.start_on(
        AuditSettings {
            fail_closed: true,
            queue: 2,
            ..desk.settings()
        },
        open,
    );
    call(&writer, "t").await.unwrap();
    eventually("the disk is full", || writer.log().status().trouble.is_some());
    let refused = call(&writer, "t").await.unwrap_err();
    assert!(refused.message().contains("AUDIT_FAIL_CLOSED"), "{refused}");
    room.store(1 << 20, Ordering::Relaxed);
    eventually("there is room", || writer.log().status().trouble.is_none());
    let engine = engine(&writer);
    // Calls that run have their places, so that a third one has none.
    let places = [writer.log().0.queue.reserve(), writer.log().0.queue.reserve()];
    assert_eq!(places, [true, true]);
    let third = engine.call_tool(cx(), "t", RawJson::empty_object()).await;
    assert!(third.unwrap_err().message().contains("AUDIT_QUEUE"));
    assert_eq!(writer.log().status().lost, 0);
}

#[tokio::test]
async fn s105_a_folder_that_goes_comes_back() {
    let desk = Desk::new();
    let writer = desk.start(desk.settings());
    call(&writer, "t").await.unwrap();
    eventually("it is written", || writer.log().status().written == 1);
    fs::remove_dir_all(desk.folder.path()).unwrap();
    call(&writer, "t").await.unwrap();
    drop(writer);
    let events: Vec<_> = desk
        .lines("2026-11-27.jsonl")
        .into_iter()
        .map(|line| line["event"].clone())
        .collect();
    assert_eq!(events, ["opened", "call"]);
}

/// A gateway that was killed within a line: the next one takes the torn line off, says so, and goes on with the chain.
#[tokio::test]
async fn a_line_that_was_torn_by_a_kill_is_cut_off() {
    let desk = Desk::new();
    let settings = desk.write_chain().await;
    desk.rewrite("2026-11-28.jsonl", |text| text + r#"{"time":"2026-1"#);
    let before = verify(desk.folder.path(), None).unwrap();
    let writer = desk.start(settings.clone());
    call(&writer, "t").await.unwrap();
    drop(writer);
    let lines = desk.lines("2026-11-28.jsonl");
    let opened = lines.iter().rfind(|line| line["event"] == "opened").unwrap();
    assert_eq!(opened["cut_bytes"], 15);
    let after = verify(desk.folder.path(), Some(&before.last)).unwrap();
    assert_eq!(after.lines, before.lines + 2);
    // The same on the day after, in the file of the day before.
    desk.rewrite("2026-11-28.jsonl", |text| text + "{");
    desk.hand.move_on(86_400);
    let writer = desk.start(settings);
    call(&writer, "t").await.unwrap();
    drop(writer);
    assert_eq!(desk.lines("2026-11-29.jsonl")[0]["cut_bytes"], 1);
    verify(desk.folder.path(), Some(&after.last)).unwrap();
}

#[tokio::test]
async fn a_chain_shows_what_was_changed_and_taken_out() {
    fn first_two(text: &str) -> String {
        text.split_inclusive('\n').take(2).collect()
    }
    fn without_second(text: &str) -> String {
        let lines = text.split_inclusive('\n').enumerate();
        lines.filter(|(at, _)| *at != 1).map(|(_, line)| line).collect()
    }
    type Change = fn(&str) -> String;
    // Where it shows, the file, what somebody does to it, and the file it is written to.
    let changes: [(&str, &str, Change, &str); 5] = [
        ("line 2", TODAY, |text| text.replacen("local", "other", 1), TODAY),
        ("line 2", TODAY, without_second, TODAY),
        ("line 1", "2026-11-27.jsonl", first_two, "2026-11-27.jsonl"),
        ("line 1", TODAY, str::to_owned, "2026-11-29.jsonl"),
        ("line 4", TODAY, |text| format!("{text}{{\"time\":0}}\n"), TODAY),
    ];
    for (place, file, change, target) in changes {
        let desk = Desk::new();
        desk.write_chain().await;
        let whole = verify(desk.folder.path(), None).unwrap();
        assert_eq!((whole.files, whole.lines, whole.before), (2, 6, 0));
        let text = fs::read_to_string(desk.folder.path().join(file)).unwrap();
        fs::write(desk.folder.path().join(target), change(&text)).unwrap();
        let broken = verify(desk.folder.path(), None).unwrap_err().to_string();
        assert!(broken.contains(place), "{file}, {place}: {broken}");
    }
    let desk = Desk::new();
    desk.write_chain().await;
    let whole = verify(desk.folder.path(), None).unwrap();
    fs::remove_file(desk.folder.path().join("2026-11-27.jsonl")).unwrap();
    verify(desk.folder.path(), Some(&whole.last)).expect("what retention removes is no break");
    desk.rewrite(TODAY, |text| first_two(&text));
    verify(desk.folder.path(), None).expect("nobody can tell that the end is missing");
    let gone = verify(desk.folder.path(), Some(&whole.last)).unwrap_err();
    assert!(
        matches!(gone, VerifyError::NoHead(_)),
        "unless its hash was kept: {gone}"
    );
}

#[tokio::test]
async fn a_chain_may_begin_later_but_not_lose_its_hashes() {
    let desk = Desk::new();
    let writer = desk.start(desk.settings());
    call(&writer, "t").await.unwrap();
    drop(writer);
    assert!(matches!(
        verify(desk.folder.path(), None),
        Err(VerifyError::NoChain)
    ));
    desk.write_chain().await;
    assert_eq!(verify(desk.folder.path(), None).unwrap().before, 2);
    // Without its hash the first line of the chain would be one from before it.
    let stripped = |text: String| {
        let strip = |line: &str| match line.split_once(",\"hash\"") {
            Some((text, _)) => format!("{text}}}\n"),
            None => format!("{line}\n"),
        };
        text.lines().map(strip).collect()
    };
    desk.rewrite("2026-11-27.jsonl", stripped);
    assert!(
        verify(desk.folder.path(), None)
            .unwrap_err()
            .to_string()
            .contains("has lost its hash")
    );
}

/// A gateway and the one that replaces it keep the same log for a while, each as often as it likes.
#[tokio::test]
async fn two_writers_keep_one_chain() {
    let desk = Desk::new();
    let settings = AuditSettings {
        chain: true,
        ..desk.settings()
    };
    let writers = [desk.start(settings.clone()), desk.start(settings)];
    for round in 0..6_u64 {
        let writer = &writers[usize::try_from(round % 2).unwrap()];
        call(writer, "t").await.unwrap();
        eventually("it is written", || writer.log().status().written == round / 2 + 1);
    }
    drop(writers);
    let whole = verify(desk.folder.path(), None).unwrap();
    let calls = desk.lines("2026-11-27.jsonl");
    let calls = calls.iter().filter(|line| line["event"] == "call").count();
    assert_eq!((whole.files, calls), (1, 6));
}

/// One of the two has begun the file of the next day when the other still has records of the day before.
#[tokio::test]
async fn two_writers_keep_one_chain_over_midnight() {
    let desk = Desk::new();
    let settings = AuditSettings {
        chain: true,
        ..desk.settings()
    };
    let writers = [desk.start(settings.clone()), desk.start(settings)];
    let record = async |writer: usize, written| {
        let log = writers[writer].log();
        call(&writers[writer], "t").await.unwrap();
        eventually("it is written", || log.status().written == written);
    };
    record(0, 1).await;
    desk.hand.move_on(1);
    record(1, 1).await;
    desk.hand.move_back(1);
    record(0, 2).await;
    let whole = verify(desk.folder.path(), None).unwrap();
    assert_eq!(whole.files, 2);
    let late = desk
        .lines(TODAY)
        .iter()
        .filter(|line| line["event"] == "call")
        .count();
    assert_eq!(late, 2, "what comes too late for its file stands in the last one");
}

/// Whoever began a later file may have ended before the first line was in it.
#[tokio::test]
async fn empty_files_neither_break_a_chain_nor_stop_the_writer() {
    let desk = Desk::new();
    let settings = AuditSettings {
        chain: true,
        ..desk.settings()
    };
    let writer = desk.start(settings);
    call(&writer, "t").await.unwrap();
    eventually("it is written", || writer.log().status().written == 1);
    for later in ["2026-11-29.jsonl", "2026-11-30.jsonl"] {
        std::fs::write(desk.folder.path().join(later), "").unwrap();
    }
    call(&writer, "t").await.unwrap();
    eventually("it is written too", || writer.log().status().written == 2);
    drop(writer);
    verify(desk.folder.path(), None).unwrap();
    let last = desk.lines("2026-11-30.jsonl");
    assert_eq!(last.last().unwrap()["event"], "call", "{last:?}");
}

/// The same, where the file of the next day begins in the moment in which the other opens the one before.
#[tokio::test]
async fn a_file_that_is_no_longer_the_last_is_not_begun() {
    let desk = Desk::new();
    let settings = AuditSettings {
        chain: true,
        ..desk.settings()
    };
    let first = desk.start(settings.clone());
    call(&first, "t").await.unwrap();
    eventually("it is written", || first.log().status().written == 1);
    let (hand, log) = (desk.hand.clone(), first.log());
    let mut first = Some(first);
    let late = desk.start_on(settings, move |path| {
        if let Some(first) = first.take() {
            hand.move_on(1);
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(call(&first, "t")).unwrap();
            drop(first);
            hand.move_back(1);
        }
        open_file(path)
    });
    call(&late, "t").await.unwrap();
    eventually("it is written", || late.log().status().written == 1);
    drop(late);
    assert_eq!(log.status().written, 2);
    let whole = verify(desk.folder.path(), None).unwrap();
    let calls = |file| {
        desk.lines(file)
            .iter()
            .filter(|line| line["event"] == "call")
            .count()
    };
    assert_eq!((whole.files, calls("2026-11-27.jsonl"), calls(TODAY)), (2, 1, 2));
}
