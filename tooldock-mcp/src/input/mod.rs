//! What calls ask their clients, in both eras.
//!
//! A client of the handshake era is asked with a request on the stream of the call, and answers with a message of its session (2025-11-25,
//! Elicitation, Sampling, Roots). A client of the modern era gets the questions as the answer to its request and sends the request again
//! with the answers (2026-07-28, Multi Round-Trip Requests): the call is parked meanwhile, or, where its engine keeps no state, begun anew
//! with the engine's sealed state.

mod ability;
mod asked;
mod asker;
mod desk;
mod form;
#[cfg(feature = "testing")]
mod keeper;
mod limits;
mod links;
mod question;
mod returned;
mod rounds;
mod seal;
mod subject;
mod ticket;

#[cfg(feature = "testing")]
pub use self::keeper::{StateKeeper, StateOwner};
pub(crate) use self::{
    ability::Abilities,
    asked::Asked,
    asker::{Asker, Carrier},
    desk::{Asking, Desk, Received},
    links::Links,
    question::{Question, Questions, Told},
    returned::Returned,
    rounds::serve_asking,
    subject::Subject,
};
pub use self::{limits::InputLimits, seal::SealKey};
