//! Run it: `cargo run -p example-embed-in-axum`, then `curl -c jar -d user=ann http://127.0.0.1:8000/login` and
//! `curl -b jar -d '{}' http://127.0.0.1:8000/tools/desk/tools/whoami`.

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    Ok(axum::serve(listener, example_embed_in_axum::app()?).await?)
}
