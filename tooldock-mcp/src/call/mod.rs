//! A call while it runs: what it is known by, what it tells, and how long it lives.

mod calls;
mod running;
mod voice;

pub(crate) use self::{
    calls::{Calls, Entered},
    running::{Lifetime, Running},
    voice::{Voice, Wishes},
};
