//! What the measured programs have in common: each serves a router on a free port of loopback, says where, and ends
//! when its standard input does.
#![allow(clippy::print_stdout, reason = "programs that say where they listen")]

use std::io;

use axum::{Router, serve::ListenerExt as _};
use tokio::{io::AsyncReadExt as _, net::TcpListener};

/// The token that every measured program could ask for; all requests carry it.
pub const TOKEN: &str = "token-of-the-benchmarks-and-of-nothing-else";

/// Serves `app` until standard input is closed, as whoever started the program does when it ends.
///
/// # Errors
///
/// When no port can be had.
///
/// # Cancel safety
///
/// Dropping the future closes the port and leaves the connections open until the runtime ends.
pub async fn serve(app: Router) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("ready http://{}", listener.local_addr()?);
    // Answers that are written in several pieces must not wait for the client to confirm the first.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    tokio::select! {
        served = async { axum::serve(listener, app).await } => served,
        _ = closed() => Ok(()),
    }
}

/// Returns when standard input has ended.
async fn closed() -> io::Result<u8> {
    tokio::io::stdin().read_u8().await
}
