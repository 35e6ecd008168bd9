//! Several messages in one array, which only 2025-03-26 has.

use futures_util::{
    future::join_all,
    stream::{self, StreamExt as _, select_all},
};
use tooldock_engine::{Mount, RawJson};

use super::{Answer, Connection, Reply, ReplyStream};
use crate::{
    dispatch::dispatch,
    era::Route,
    refusal::{Refusal, code},
    wire::Message,
};

/// Answers every message of a batch by itself: with an array if all are answered before one tells anything, else with a stream
/// (2025-03-26, Transports, Sending Messages to the Server).
pub(super) async fn answer(
    connection: &Connection,
    mount: &Mount,
    route: Route,
    parts: Vec<RawJson>,
) -> Reply {
    if let Err(refusal) = check(parts.len(), connection.inner().server.settings().batch_messages) {
        return Reply::One(refusal.answer(None));
    }
    let replies = parts
        .iter()
        .map(|part| Box::pin(answer_one(connection, mount, route, part)));
    let (mut answers, mut streams) = (Vec::new(), Vec::new());
    for reply in join_all(replies).await {
        match reply {
            Reply::Nothing => {}
            Reply::One(answer) => answers.push(answer.body),
            Reply::Stream(messages) => streams.push(messages),
        }
    }
    if !streams.is_empty() {
        let messages = stream::iter(answers).chain(select_all(streams));
        return Reply::Stream(ReplyStream::new(messages));
    }
    if answers.is_empty() {
        return Reply::Nothing;
    }
    let body = RawJson::array(&answers);
    Reply::One(Answer { body, status: 200 })
}

fn check(messages: usize, limit: usize) -> Result<(), Refusal> {
    match messages {
        0 => Err(Refusal::bad(code::INVALID_REQUEST, "the batch is empty")),
        _ if messages > limit => Err(Refusal::bad(
            code::INVALID_REQUEST,
            format!(
                "the batch has `{messages}` messages, which is more than {limit} (MCP_BATCH_MESSAGES); send several"
            ),
        )),
        _ => Ok(()),
    }
}

async fn answer_one(connection: &Connection, mount: &Mount, route: Route, part: &RawJson) -> Reply {
    let message = match Message::read(part) {
        Ok(message) => message,
        Err(malformed) => return Reply::One(Refusal::from(&malformed).answer(malformed.id.as_ref())),
    };
    let claims = message.params().is_some_and(|params| params.meta().is_claim());
    let refused = match &message {
        Message::Batch(_) => "a batch holds messages, not batches",
        Message::Request(request) if &*request.method == "initialize" => {
            "`initialize` is sent alone, not in a batch"
        }
        Message::Request(_) if claims => "a message that describes itself is sent alone, not in a batch",
        _ => return dispatch(connection, mount.clone(), route, message).await,
    };
    Reply::One(Refusal::bad(code::INVALID_REQUEST, refused).answer(message.id()))
}
