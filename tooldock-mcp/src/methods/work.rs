//! A request that an engine answers.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tooldock_engine::{
    CallContext, Catalog, EngineError, EngineReply, EngineRequest, ErrorKind, RawJson,
    error::Result as EngineResult,
};

use crate::{
    call::{Running, Voice, Wishes},
    connection::Reply,
    methods::{Encoder, Turn},
    refusal::Refusal,
    wire::{MessageId, Params, Request},
};

/// A request that an engine answers, with what is known before it does.
pub(super) struct Work {
    pub(super) turn: Turn,
    pub(super) catalog: Arc<Catalog>,
    id: MessageId,
    wishes: Wishes,
    cx: CallContext,
    cancel: CancellationToken,
}

impl Work {
    pub(super) async fn begin(turn: Turn, request: &Request) -> Result<Self, Refusal> {
        let wishes = wishes(&turn, &request.params)?;
        let cancel = turn.cancel_token();
        let cx = turn.context(request.params.meta()).with_cancel(cancel.clone());
        Ok(Self {
            catalog: turn.catalog(&cx).await?,
            id: request.id.clone(),
            turn,
            wishes,
            cx,
            cancel,
        })
    }

    /// Lets the engine answer `asked`, for as long as the era says, with what it tells on the way; `encode` writes the response that
    /// tells how it ended.
    pub(super) async fn run(
        self,
        asked: EngineRequest,
        encode: impl FnOnce(&Encoder, &MessageId, EngineResult<EngineReply>) -> RawJson + Send + 'static,
    ) -> Result<Reply, Refusal> {
        let Self {
            turn,
            catalog,
            id,
            wishes,
            cx,
            cancel,
        } = self;
        let info = &turn.inner().info;
        let (cx, notes) = match wishes.open().filter(|_| info.streams) {
            Some((client, notes)) => (cx.with_client(client), Some(notes)),
            None => (cx, None),
        };
        let entered = turn.enter(&id, cancel.clone())?;
        let voice = Voice::new(turn.revision(), wishes);
        let patience = info.streams.then_some(turn.inner().server.settings().keep_alive);
        let encoder = turn.encoder(Some(&catalog));
        let (engine, stop, echo) = (turn.mount.engine.clone(), cancel.clone(), id.clone());
        let work = async move {
            let _entered = entered;
            let outcome = tokio::select! {
                biased;
                outcome = engine.serve(cx, asked) => outcome,
                () = stop.cancelled() => Err(EngineError::new(ErrorKind::Cancelled, "the call was cancelled")),
            };
            encode(&encoder, &id, outcome)
        };
        let calls = &turn.inner().server.shared().calls;
        let running = Running::start(echo, work, turn.lifetime(), cancel, calls, (notes, voice));
        drop(turn);
        Ok(running.reply(patience).await)
    }
}

fn wishes(turn: &Turn, params: &Params) -> Result<Wishes, Refusal> {
    let token = params.meta().get("progressToken").cloned().map(MessageId::new);
    if token == Some(None) {
        return Err(Refusal::params(
            "`params._meta.progressToken` must be a text of at most 256 bytes or a 64-bit integer",
        ));
    }
    Ok(Wishes {
        progress: token.flatten(),
        level: turn.log_level(params.meta()),
    })
}
