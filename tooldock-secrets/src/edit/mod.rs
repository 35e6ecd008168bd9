//! Editing every value at once in an editor, with the plain text on memory only.

mod desk;
mod error;
mod places;
mod session;
mod sheet;

pub use self::{
    desk::Desk,
    error::EditError,
    places::Places,
    session::{EditSession, Edited},
};
