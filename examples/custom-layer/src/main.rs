//! Run it: `cargo run -p example-custom-layer`, then, four times,
//! `curl -d '{}' http://127.0.0.1:8000/temple/tools/oracle`.

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    Ok(axum::serve(listener, example_custom_layer::app()?).await?)
}
