//! Workers as the gateway sees them: real Python processes, and scripted ones that misbehave.

mod crashes;
mod environments;
mod folders;
mod notes;
mod protocol;
mod serving;
mod shop;
mod tenants;
