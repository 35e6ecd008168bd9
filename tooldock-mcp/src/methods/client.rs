//! What the client of a request can be asked, and what it wants to hear.

use crate::{
    call::Wishes,
    input::Abilities,
    methods::Turn,
    refusal::Refusal,
    wire::{MessageId, Params, names::CLIENT_CAPABILITIES},
};

/// What the client can be asked: what it declares with a request that describes itself, or has declared for its session.
pub(super) fn abilities(turn: &Turn, params: &Params) -> Abilities {
    match turn.session() {
        Some(session) => session.abilities(),
        None => params
            .meta()
            .get(CLIENT_CAPABILITIES)
            .map(|declared| Abilities::read(declared, turn.revision()))
            .unwrap_or_default(),
    }
}

/// Which notes the client wants.
pub(super) fn wishes(turn: &Turn, params: &Params) -> Result<Wishes, Refusal> {
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
