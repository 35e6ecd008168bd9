//! Where sessions are kept.

use tooldock_mcp::{session::MemorySessions, testing::session_store_contract};

#[tokio::test(start_paused = true)]
async fn memory_sessions_keep_the_contract() {
    session_store_contract(async |limits| MemorySessions::new(limits)).await;
}
