//! The lists of whose changes clients are told.

use tooldock_engine::{Catalog, RawJson, catalog::Kind, json::ObjectWriter};

use crate::{
    listing::Listing,
    pages::{Fingerprint, Pages},
    revision::Revision,
    wire::write_notification,
};

/// A list of whose changes clients are told. That of resources stands for the templates as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    Tools,
    Prompts,
    Resources,
}

/// What a client sees of one list.
pub(super) type Look = [Fingerprint; 2];
/// What a client sees of each list.
pub(crate) type Seen = [Look; List::ALL.len()];

impl List {
    pub(crate) const ALL: [Self; 3] = [Self::Tools, Self::Prompts, Self::Resources];

    /// Whether a namespace that lists `catalog` has it or may get it. Tools are what namespaces are for, so they always may.
    pub(crate) fn is_offered(self, catalog: &Catalog) -> bool {
        match self {
            Self::Tools => true,
            Self::Prompts => catalog.offers(Kind::Prompts),
            Self::Resources => catalog.offers(Kind::Resources),
        }
    }

    /// The notification that says that it has changed.
    pub(crate) fn notice(self, write: impl FnOnce(&mut ObjectWriter)) -> RawJson {
        let method = match self {
            Self::Tools => "notifications/tools/list_changed",
            Self::Prompts => "notifications/prompts/list_changed",
            Self::Resources => "notifications/resources/list_changed",
        };
        write_notification(method, write)
    }

    /// What a client of `revision` sees of all of them, found once for each catalog.
    pub(crate) fn see(catalog: &Catalog, revision: Revision, page_size: usize) -> Seen {
        #[derive(PartialEq, Eq, Hash)]
        struct Key(Revision, usize);
        let of = |listing| Pages::of(catalog, listing, revision, page_size).fingerprint();
        let see = |list| match list {
            Self::Tools => [of(Listing::Tools); 2],
            Self::Prompts => [of(Listing::Prompts); 2],
            Self::Resources => [of(Listing::Resources), of(Listing::Templates)],
        };
        *catalog.derived(Key(revision, page_size), || Self::ALL.map(see))
    }
}
