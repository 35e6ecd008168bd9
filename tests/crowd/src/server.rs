//! The server process: a gateway whose tools change when it is told so.

use std::{io::Write as _, sync::Arc, time::Duration};

use axum::{Json, Router, routing};
use tokio::{io::AsyncReadExt as _, net::TcpListener, runtime::Handle};
use tooldock::{
    Catalog, Gateway, Tool,
    engine::testing::EngineMock,
    http::{Bearer, Token, Tokens},
    mcp, run,
};

use crate::{Outcome, TOKENS};

/// Serves on a port of its own, which it prints, until its standard input ends.
pub(crate) async fn run() -> Outcome {
    let engine = Arc::new(EngineMock::new(catalog(1)?));
    let tokens = TOKENS.iter().map(|token| Token::new(token, token));
    let mut settings = mcp::Settings::default();
    settings.streams_per_principal = 2_000;
    // Those that were opened and left before the crowd comes may still be ending.
    settings.streams = 11_000;
    let gateway = Gateway::builder()
        .namespace("crowd", engine.clone())
        .bearer(Bearer::new(Tokens::new(tokens.collect::<Result<Vec<_>, _>>()?)))
        .mcp(settings)
        .build()?;
    let server = gateway.mcp().clone();
    let app = Router::new()
        .route("/grow", routing::post(async move || grow(&engine)))
        .route("/counts", routing::get(async move || counts(&server).await))
        .fallback_service(gateway.into_service());

    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    std::io::stdout().flush()?;
    let told_to_end = async {
        tokio::io::stdin().read_u8().await.ok();
    };
    let mut limits = run::Limits::default();
    limits.drain = Duration::ZERO;
    run::serve(listener, app, limits, told_to_end).await;
    Ok(())
}

/// One tool more or less.
fn grow(engine: &EngineMock) -> &'static str {
    static ROUND: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(2);
    let round = ROUND.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    match catalog(round) {
        Ok(catalog) => {
            engine.change(catalog);
            "told"
        }
        Err(_) => "a bad catalog",
    }
}

fn catalog(tools: usize) -> Outcome<Catalog> {
    let mut catalog = Catalog::builder();
    for number in 0..tools {
        catalog = catalog.tool(Tool::new(format!("tool_{number}").parse()?));
    }
    Ok(catalog.build()?)
}

/// How many sessions and tasks there are.
async fn counts(server: &mcp::Server) -> Json<serde_json::Value> {
    let tasks = Handle::current().metrics().num_alive_tasks();
    Json(serde_json::json!({ "sessions": server.sessions().count().await, "tasks": tasks }))
}
