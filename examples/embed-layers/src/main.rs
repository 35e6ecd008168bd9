//! Run it: `cargo run -p example-embed-layers`, then
//! `curl -H 'Authorization: Bearer a-token-of-at-least-16-characters' http://127.0.0.1:8000/files/tools`.

use tooldock::http::{Token, Tokens};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tokens = Tokens::new([Token::new("ann", "a-token-of-at-least-16-characters")?]);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    Ok(axum::serve(listener, example_embed_layers::app(tokens)?).await?)
}
