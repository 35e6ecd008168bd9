//! Messages as they travel: scanned once, strictly; parts are cut out without copying.

mod id;
mod line;
mod message;
pub(crate) mod names;
mod params;
mod response;
mod shape;

pub use self::{
    id::MessageId,
    message::{Malformed, Message, Notification, Request, Response},
    params::{Meta, Params},
};
pub(crate) use self::{
    line::extend_line,
    message::LEVELS,
    response::{write_error, write_notification, write_request, write_result},
};
