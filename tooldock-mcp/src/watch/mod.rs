//! Telling clients that what they have listed has changed.

mod notices;
mod places;
mod told;
mod tools;

pub(crate) use self::{
    notices::Notices,
    places::{Place, Places},
    told::Told,
    tools::ToolWatch,
};

/// The notification that says that the list of tools has changed.
pub(crate) const TOOLS_CHANGED: &str = "notifications/tools/list_changed";
