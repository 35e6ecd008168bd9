//! One file per method.

pub(crate) mod cancelled;
mod client;
pub(crate) mod completion_complete;
mod content;
pub(crate) mod discover;
mod encoder;
pub(crate) mod initialize;
pub(crate) mod list;
pub(crate) mod listen;
pub(crate) mod ping;
pub(crate) mod prompts_get;
pub(crate) mod resources_read;
pub(crate) mod resources_subscribe;
pub(crate) mod resources_unsubscribe;
pub(crate) mod set_level;
mod tool_result;
pub(crate) mod tools_call;
mod turn;
mod work;

pub(crate) use self::{encoder::Encoder, turn::Turn};
