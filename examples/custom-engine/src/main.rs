//! Run it: `cargo run -p example-custom-engine`, then
//! `curl -d '{"name": "wifi", "text": "ask Ann"}' http://127.0.0.1:8000/notes/tools/learn`
//! and `curl -d '{}' http://127.0.0.1:8000/notes/tools/wifi`.

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    Ok(axum::serve(listener, example_custom_engine::app()?).await?)
}
