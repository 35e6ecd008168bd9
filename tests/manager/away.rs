//! A core that is not there, or is something else.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::pair::Pair;

/// Answers every connection with `answer`, or with nothing at all.
fn impostor(answer: Option<&'static str>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let mut held = Vec::new();
        for mut stream in listener.incoming().flatten() {
            match answer {
                Some(answer) => {
                    let heard = stream.read(&mut [0; 4096]).unwrap_or_default();
                    if heard > 0 {
                        stream.write_all(answer.as_bytes()).ok();
                    }
                }
                None => held.push(stream),
            }
        }
    });
    url
}

#[test]
fn r28_a_core_that_is_away_or_talks_nonsense_is_told_clearly_and_in_time() {
    let nonsense =
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello";
    let other = "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno";
    let torn = "HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{";
    let table = [
        ("http://127.0.0.1:9".to_owned(), "cannot be reached"),
        (impostor(Some(nonsense)), "is no `tooldock-core` of this version"),
        (impostor(Some(other)), "is no `tooldock-core` of this version"),
        (impostor(Some(torn)), "broke the connection"),
        (
            impostor(None),
            "said nothing for 1 s (setting CORE_TIMEOUT_SECONDS)",
        ),
    ];
    for (url, told) in table {
        let pair = Pair::alone(&url, &[("CORE_TIMEOUT_SECONDS", "1")]);
        pair.done("create_namespace", json!({"name": "demo"}));
        for (tool, arguments) in [
            ("reload_core", json!({})),
            ("get_logs", json!({"namespace": "demo"})),
            ("rollback_namespace", json!({"namespace": "demo"})),
        ] {
            let begin = Instant::now();
            let text = pair.refused(tool, arguments);
            assert!(text.contains(told) && text.contains(&url), "{url} {tool}: {text}");
            assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
        }
        let health = pair.done("health", json!({}));
        assert_eq!(health["core_reachable"], false, "{health}");
        let doctor = pair.done("doctor", json!({}));
        assert!(
            doctor["findings"][0]["problem"].as_str().unwrap().contains(told),
            "{doctor}"
        );
        // What needs no core works.
        assert_eq!(
            pair.done("list_tools", json!({"namespace": "demo"}))["result"],
            json!([])
        );
    }
}

#[test]
fn a_core_that_does_not_let_the_manager_in_says_which_setting_is_wrong() {
    let pair = Pair::start();
    let url = pair.core_url();
    for (setting, told) in [
        ("BEARER_TOKEN", "set BEARER_TOKEN of the manager"),
        (
            "MANAGER_INTERNAL_TOKEN",
            "MANAGER_INTERNAL_TOKEN must be the same",
        ),
    ] {
        let other = Pair::alone(&url, &[(setting, "another-token-of-the-tests-00")]);
        let text = other.refused("reload_core", json!({}));
        assert!(text.contains(told), "{text}");
    }
}
