//! Telling clients that what they have listed or read has changed.

mod hints;
mod list;
mod lists;
mod notices;
mod places;
mod resources;
mod told;

use self::hints::hints;
pub(crate) use self::{
    list::List,
    lists::ListWatch,
    notices::Notices,
    places::{Cap, Place, Places},
    resources::ResourceWatches,
    told::Told,
};
