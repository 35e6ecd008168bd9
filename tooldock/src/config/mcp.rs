//! The settings of the MCP server.

use std::time::Duration;

use tooldock_mcp::{InputLimits, Revisions, Settings, session::SessionLimits, stream::ReplayLimits};

use super::reader::Reader;

const REVISION: &str = "a published revision such as `2025-11-25`";

/// Reads the settings of the MCP server.
pub(super) fn read(read: &mut Reader<'_>) -> Settings {
    let name = "MCP_SUPPORTED_VERSIONS";
    let spoken = read.list(name, REVISION);
    if spoken.is_empty() {
        read.mistakes
            .push(format!("{name} names no revision; list at least one"));
    }
    let poll_after = read.seconds("MCP_POLL_AFTER_SECONDS", 0..=3600);
    let mut settings = Settings::default();
    settings.revisions = Revisions::of(&spoken);
    settings.legacy = read.either("ENABLE_LEGACY_MCP", ["true", "false"]);
    settings.page_size = read.count("MCP_PAGE_SIZE", 1..=10_000);
    settings.list_ttl = read.seconds("MCP_LIST_TTL_SECONDS", 0..=86_400);
    settings.keep_alive = read.seconds("MCP_KEEP_ALIVE_SECONDS", 1..=25);
    settings.streams = read.count("MCP_STREAMS", 1..=1_000_000);
    settings.streams_per_principal = read.count("MCP_STREAMS_PER_PRINCIPAL", 1..=1_000_000);
    settings.resource_watches = read.count("MCP_RESOURCE_WATCHES", 1..=10_000);
    settings.batch_messages = read.count("MCP_BATCH_MESSAGES", 1..=1000);
    settings.legacy_messages = read.count("MCP_LEGACY_MESSAGES", 1..=1000);
    settings.retry = Duration::from_millis(read.number("MCP_RETRY_MS", 10..=60_000));
    settings.poll_after = Some(poll_after).filter(|after| !after.is_zero());
    settings.sessions = sessions(read);
    settings.replay = replay(read);
    settings.input = InputLimits {
        timeout: read.seconds("INPUT_TIMEOUT_SECONDS", 1..=3600),
        total: read.count("INPUT_QUESTIONS", 1..=1_000_000),
        per_principal: read.count("INPUT_QUESTIONS_PER_PRINCIPAL", 1..=100_000),
        ..InputLimits::default()
    };
    settings
}

fn sessions(read: &mut Reader<'_>) -> SessionLimits {
    let mut limits = SessionLimits::default();
    limits.total = read.count("MCP_SESSIONS", 1..=1_000_000);
    limits.per_principal = read.count("MCP_SESSIONS_PER_PRINCIPAL", 1..=1_000_000);
    limits.streams = read.count("MCP_STREAMS_PER_SESSION", 1..=100);
    limits.idle = read.seconds("MCP_SESSION_IDLE_SECONDS", 1..=86_400);
    limits.uninitialized = read.seconds("MCP_SESSION_START_SECONDS", 1..=3600);
    limits.absolute = Duration::from_secs(60 * 60 * read.number("MCP_SESSION_TTL_HOURS", 1..=8760));
    limits
}

fn replay(read: &mut Reader<'_>) -> ReplayLimits {
    let mut limits = ReplayLimits::default();
    limits.events = read.count("MCP_REPLAY_EVENTS", 0..=100_000);
    limits.bytes = read.count("MCP_REPLAY_BYTES", 0..=1 << 30);
    limits.total_bytes = read.count("MCP_REPLAY_TOTAL_BYTES", 0..=64 << 30);
    limits
}
