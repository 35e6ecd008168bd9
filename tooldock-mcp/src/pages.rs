//! Pages of a list, written once for each catalog and revision and then copied.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::Arc,
};

use tooldock_engine::{Catalog, RawJson};

use crate::{
    cursor::{Misplaced, Place},
    listing::Listing,
    revision::Revision,
};

/// The pages of a list.
#[derive(Debug)]
pub(crate) struct Pages {
    pages: Vec<Page>,
    place: Place,
    fingerprint: Fingerprint,
}

/// Tells a list, as a client sees it, from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fingerprint(u64);

/// One page.
#[derive(Debug)]
pub(crate) struct Page {
    /// What is listed: an array.
    pub(crate) items: RawJson,
    /// The cursor of the next page, unless this is the last.
    pub(crate) next: Option<String>,
}

#[derive(PartialEq, Eq, Hash)]
struct Key {
    listing: Listing,
    revision: Revision,
    page_size: usize,
}

impl Pages {
    /// The pages of a list in `catalog` as a client of `revision` sees them.
    pub(crate) fn of(catalog: &Catalog, listing: Listing, revision: Revision, page_size: usize) -> Arc<Self> {
        let key = Key {
            listing,
            revision,
            page_size,
        };
        catalog.derived(key, || {
            let place = Place::of(catalog, listing, revision, page_size);
            Self::cut(place, &listing.write(catalog, revision), page_size)
        })
    }

    fn cut(place: Place, items: &[RawJson], page_size: usize) -> Self {
        let chunks: Vec<&[RawJson]> = items.chunks(page_size.max(1)).collect();
        let last = chunks.len().saturating_sub(1);
        let page = |(index, items): (usize, &&[RawJson])| Page {
            items: RawJson::array(*items),
            next: (index < last).then(|| place.cursor(index + 1)),
        };
        let mut pages: Vec<Page> = chunks.iter().enumerate().map(page).collect();
        if pages.is_empty() {
            pages.push(Page {
                items: RawJson::empty_array(),
                next: None,
            });
        }
        let mut hasher = DefaultHasher::new();
        items.hash(&mut hasher);
        Self {
            pages,
            place,
            fingerprint: Fingerprint(hasher.finish()),
        }
    }

    pub(crate) fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The page that `cursor` stands for; the first one without a cursor.
    pub(crate) fn page(&self, cursor: Option<&str>) -> Result<&Page, Misplaced> {
        let number = cursor.map_or(Ok(0), |cursor| self.place.page(cursor))?;
        self.pages
            .get(number)
            .ok_or("the list has no such page; list again without a cursor")
    }
}
