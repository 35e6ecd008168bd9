//! The page for people.

use std::sync::Arc;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest as _, Sha256};
use tooldock_engine::{Mount, testing::EngineMock};
use tooldock_openapi::{RestSettings, router};

use crate::app::{Answer, app, catalog, get, tool};

/// What stands between two marks, which are there once.
fn between<'a>(page: &'a str, start: &str, end: &str) -> &'a str {
    assert_eq!(
        (page.matches(start).count(), page.matches(end).count()),
        (1, 1),
        "{start}"
    );
    let (_, rest) = page.split_once(start).unwrap();
    rest.split_once(end).unwrap().0
}

async fn page() -> Answer {
    get(&app(EngineMock::new(catalog([tool("secret_plan")]))), "/docs").await
}

#[tokio::test]
async fn s30_the_page_runs_its_own_script_and_no_other() {
    let answer = page().await;
    let policy = answer.headers["content-security-policy"].to_str().unwrap();
    let hash = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
    let script = between(answer.text(), "<script>", "</script>");
    let style = between(answer.text(), "<style>", "</style>");
    let directives: Vec<&str> = policy.split("; ").collect();
    assert_eq!(
        directives,
        [
            "default-src 'none'",
            &format!("script-src {}", hash(script)),
            &format!("style-src {}", hash(style)),
            "connect-src 'self'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'"
        ]
    );
    assert!(
        !answer.text().contains("src=") && !answer.text().contains("http"),
        "nothing comes from elsewhere"
    );
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
    ] {
        assert_eq!(answer.headers[name], value);
    }
}

#[tokio::test]
async fn s4_the_page_is_open_because_it_says_nothing() {
    let namespace = "demo".parse().unwrap();
    let engine = Arc::new(EngineMock::new(catalog([tool("secret_plan")])));
    let bare = router(Arc::new(Mount { namespace, engine }), RestSettings::default());
    let stranger = get(&bare, "/docs").await;
    assert_eq!(stranger.status, 200);
    assert_eq!(stranger.body, page().await.body, "the same for everybody");
    assert!(!stranger.text().contains("secret_plan") && !stranger.text().contains("demo"));
    assert_eq!(get(&bare, "/openapi.json").await.status, 401);
}

#[tokio::test]
async fn the_page_never_writes_markup_and_keeps_the_token_in_its_tab() {
    let answer = page().await;
    let script = between(answer.text(), "<script>", "</script>");
    for word in [
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "localStorage",
        "cookie",
    ] {
        assert!(!script.contains(word), "{word}");
    }
    assert!(script.contains("sessionStorage.setItem"));
}
