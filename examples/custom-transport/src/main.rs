//! Run it: `cargo run -p example-custom-transport`, then connect an MCP client for standard input and output through
//! `socat - UNIX-CONNECT:/tmp/tooldock.sock`.

use std::time::Duration;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = "/tmp/tooldock.sock";
    let gateway = example_custom_transport::app()?;
    let listener = tokio::net::UnixListener::bind(path)?;
    let ended = tokio::select! {
        ended = example_custom_transport::listen(listener, gateway.mcp().clone(), "demo".parse()?) => ended,
        signal = tokio::signal::ctrl_c() => signal,
    };
    gateway.shutdown(Duration::from_secs(5)).await;
    std::fs::remove_file(path)?;
    Ok(ended?)
}
