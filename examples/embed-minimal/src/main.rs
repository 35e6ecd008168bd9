//! Run it: `cargo run -p example-embed-minimal`, then
//! `curl -d '{"name": "Ann"}' http://127.0.0.1:8000/tooldock/greetings/tools/greet`.

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let app = example_embed_minimal::app("target/example-data".as_ref()).await?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    Ok(axum::serve(listener, app).await?)
}
