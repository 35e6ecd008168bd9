//! Where sessions are kept, and what was sent in them.

use tooldock_mcp::{
    session::MemorySessions,
    stream::MemoryEvents,
    testing::{event_log_contract, session_store_contract},
};

#[tokio::test(start_paused = true)]
async fn memory_sessions_keep_the_contract() {
    session_store_contract(async |limits| MemorySessions::new(limits)).await;
}

#[tokio::test]
async fn s37_memory_events_keep_the_contract() {
    event_log_contract(async |limits| MemoryEvents::new(limits)).await;
}
