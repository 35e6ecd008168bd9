//! Messages as they travel: one strict scan, one borrowed parse, parts cut out without copying.

mod id;
mod members;
mod message;
pub(crate) mod names;
mod params;
mod response;
mod shape;

pub(crate) use self::response::{write_error, write_notification, write_result};
pub use self::{
    id::MessageId,
    message::{Malformed, Message, Notification, Request, Response},
    params::{Meta, Params},
};
