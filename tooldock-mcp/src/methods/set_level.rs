//! `logging/setLevel`: from which level on a session gets log notes.

use tooldock_engine::context::LogLevel;

use crate::{connection::Reply, methods::Turn, refusal::Refusal, wire::Request};

pub(crate) fn answer(turn: &Turn, request: &Request) -> Result<Reply, Refusal> {
    let level = request
        .params
        .get("level")
        .and_then(|level| level.parse::<LogLevel>().ok());
    let level = level.ok_or_else(|| {
        Refusal::params(
            "`params.level` must be one of `debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert`, `emergency`",
        )
    })?;
    if let Some(session) = turn.session() {
        session.set_level(level);
    }
    Ok(turn.result(request, None, 0, |_, _| {}))
}
