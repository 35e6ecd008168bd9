//! Workers as the gateway sees them: real Python processes, and scripted ones that misbehave.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what tests share may end a test"
)]

mod crashes;
mod environments;
mod folders;
mod notes;
mod protocol;
mod serving;
mod shop;
mod tenants;
