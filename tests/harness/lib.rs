//! Starts what the tests of the whole look at: the release binary as users start it, over folders of tools.
//!
//! A test that cannot find what it needs fails and says how to get it; it never passes by leaving something out.
#![allow(clippy::panic, reason = "a test that cannot be set up ends here")]

mod canaries; // what must not get out, in every form
mod certificate; // of servers on loopback
mod evidence; // what got out
mod forge; // git repositories and documents over TLS
mod gateway; // the binary under test, as a child process
mod http; // a small HTTP client
mod judge; // programs of others as clients
mod needed; // what `cargo xtask test` hands over
mod output; // what a child writes: kept, and searched for its ready line
mod patience; // waiting for something that becomes true
mod place; // the data folder, and what an operator puts there
mod processes; // who lives, and whose child it is
mod stream; // an event stream that stays open
mod tools; // a folder of namespaces that a test writes
mod unprivileged; // the binary under test, run by a user without privileges

pub use canaries::{Marks, SECRET, TOKEN, mark_in};
pub use certificate::certify;
pub use evidence::Evidence;
pub use forge::{Forge, Route, commit};
pub use gateway::{Gateway, core};
pub use http::{Answer, Http};
pub use judge::judge;
pub use needed::{fixtures, given, needed, node};
pub use patience::eventually;
pub use place::{key_file, token_file};
pub use processes::{children, lives, parent, workers};
pub use stream::Stream;
pub use tools::Tools;
pub use unprivileged::{CANARIES, Unprivileged};
