//! Cursors: places in lists.

use std::{fmt, fmt::Write as _};

use tooldock_engine::Catalog;

use crate::{listing::Listing, revision::Revision};

/// Where the pages of a list can be told apart: which list, in which view, of which generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    list: &'static str,
    view: String,
    generation: String,
}

/// Why a text is no cursor of a list, and what to do.
pub(crate) type Misplaced = &'static str;

const FOREIGN: Misplaced = "the cursor is none that this server gave; list again without a cursor";
const OTHER_LIST: Misplaced =
    "the cursor belongs to another list; use it with the method that gave it, or list again without a cursor";
const OTHER_VIEW: Misplaced = "the cursor belongs to another view of the list, another revision or page size; list again without a cursor";
const CHANGED: Misplaced = "the list has changed since the cursor was given; list again without a cursor";

impl Place {
    /// The list `listing` of `catalog`, as `revision` has it, in pages of `page_size`.
    pub(crate) fn of(catalog: &Catalog, listing: Listing, revision: Revision, page_size: usize) -> Self {
        let mut generation = String::new();
        for byte in &catalog.digest()[..8] {
            write!(generation, "{byte:02x}").expect("a String takes every text");
        }
        Self {
            list: listing.member(),
            view: format!("{revision}/{page_size}"),
            generation,
        }
    }

    /// The cursor of a page.
    pub(crate) fn cursor(&self, page: usize) -> String {
        format!("{self}.{page}")
    }

    /// The number of the page that `cursor` stands for; there need not be one.
    pub(crate) fn page(&self, cursor: &str) -> Result<usize, Misplaced> {
        let parts: Vec<&str> = cursor.splitn(5, '.').collect();
        let [list, view, generation, page] = parts[..] else {
            return Err(FOREIGN);
        };
        let number = page.parse::<usize>().map_err(|_| FOREIGN)?;
        let known = Listing::ALL.iter().any(|listing| listing.member() == list);
        for (holds, misplaced) in [
            (known && number.to_string() == page, FOREIGN),
            (list == self.list, OTHER_LIST),
            (view == self.view, OTHER_VIEW),
            (generation == self.generation, CHANGED),
        ] {
            if !holds {
                return Err(misplaced);
            }
        }
        Ok(number)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.list, self.view, self.generation)
    }
}
