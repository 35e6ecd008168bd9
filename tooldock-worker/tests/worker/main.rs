//! Workers as the gateway sees them: real Python processes, and scripted ones that misbehave.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what tests share may end a test"
)]

mod bounds;
mod calls;
mod crashes;
mod crew;
mod endings;
mod environments;
mod folders;
mod hostile;
mod idle;
mod installer;
mod leftovers;
mod log;
mod manifests;
mod notes;
mod offers;
mod operators;
mod packages;
mod paths;
mod process;
mod protocol;
mod requirements;
mod results;
mod serving;
mod shop;
mod stuck;
mod tenants;
mod texts;
