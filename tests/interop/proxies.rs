//! Every client through the proxies of the guide for operators.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tooldock_tests::{Gateway, fixtures};

use crate::proxy::{KINDS, Proxy};
use crate::{expected, for_each_client};

/// The guide shows the settings that are tried here.
#[test]
fn the_guide_shows_what_is_tried() {
    let guide = include_str!("../../docs/operating.md");
    for kind in &KINDS {
        assert!(
            guide.contains(kind.settings),
            "{} in docs/operating.md",
            kind.name
        );
    }
}

/// Below a prefix and with TLS every client sees the same tools, answers and errors.
#[test]
fn every_client_passes_through_each_proxy() {
    let gateway = Gateway::start(fixtures());
    let token = gateway.token();
    for kind in &KINDS {
        let proxy = Proxy::start(kind, gateway.base_url());
        let url = format!("{}/demo/mcp", proxy.base_url());
        for_each_client(|client| {
            let seen = client.report_through(&url, token, |command| proxy.trust(command));
            seen.and_then(|seen| expected::compare_calls(client, &seen))
                .map_err(|problem| format!("through {}: {problem}", kind.name))
        });
    }
}

/// F04: a stream on which nothing happens stays open, and says so often enough for whoever stands between.
#[test]
fn f04_an_idle_stream_stays_open_behind_each_proxy() {
    let seconds = tooldock_tests::given("TOOLDOCK_IDLE_SECONDS").map_or(20, |text| text.parse().unwrap());
    let gateway = Gateway::start_with(fixtures(), &[("MCP_KEEP_ALIVE_SECONDS", "5")]);
    let proxies: Vec<_> = KINDS
        .iter()
        .map(|kind| Proxy::start(kind, gateway.base_url()))
        .collect();
    let (token, long) = (gateway.token(), Duration::from_secs(seconds));
    std::thread::scope(|scope| {
        for proxy in &proxies {
            scope.spawn(move || stay(proxy, token, long));
        }
    });
}

/// What a client says first, without which its session ends within `MCP_SESSION_START_SECONDS`.
const OPENING: [&str; 2] = [
    r#"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "curl", "version": "1"}}}"#,
    r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#,
];

fn curl(proxy: &Proxy, token: &str, path: &str) -> Command {
    let mut command = Command::new("curl");
    command
        .args(["--silent", "--no-buffer", "--fail", "--header"])
        .arg(format!("Authorization: Bearer {token}"))
        .arg(format!("{}/demo/{path}", proxy.base_url()));
    proxy.trust(&mut command);
    command
}

/// Opens a legacy session and reads its stream for so long.
fn stay(proxy: &Proxy, token: &str, long: Duration) {
    let mut reading = curl(proxy, token, "sse");
    let mut child = reading.stdout(Stdio::piped()).spawn().expect("`curl` is needed");
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (begin, mut comments, mut endpoint) = (Instant::now(), 0, false);
    for line in lines.map_while(Result::ok) {
        comments += usize::from(line.starts_with(':'));
        if let Some(path) = line
            .strip_prefix("data: ")
            .filter(|path| path.starts_with("messages?"))
        {
            for message in OPENING {
                let mut telling = curl(proxy, token, path);
                telling.args(["--header", "Content-Type: application/json", "--data", message]);
                assert!(telling.status().unwrap().success(), "{message}");
            }
            endpoint = true;
        }
        if begin.elapsed() >= long {
            break;
        }
    }
    let lasted = begin.elapsed();
    child.kill().ok();
    child.wait().ok();
    assert!(
        endpoint && lasted >= long && comments >= 3,
        "{lasted:?} {comments} {}",
        proxy.base_url()
    );
}
