//! A call while it runs: what it is known by, what it tells and asks, and how long it lives.

mod calls;
mod hearing;
mod running;
mod task;
mod voice;

pub(crate) use self::{
    calls::{Calls, Entered},
    hearing::Hearing,
    running::{Lifetime, Outcome, Running},
    task::{Line, Task},
    voice::{Voice, Wishes},
};
