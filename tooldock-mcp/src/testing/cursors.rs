//! The cursors of one list.

use tooldock_engine::Catalog;

use crate::{cursor::Place, listing::Listing, revision::Revision};

/// The cursors of one list, for tests that make up others.
///
/// ```
/// use tooldock_engine::Catalog;
/// use tooldock_mcp::{Revision, testing::Cursors};
/// let cursors = Cursors::of(&Catalog::default(), "tools", Revision::V2025_11_25, 50).expect("there is such a list");
/// assert_eq!(cursors.read(&cursors.write(3)), Ok(3));
/// assert!(cursors.read("tools").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursors(Place);

impl Cursors {
    /// Those of the list that results call `list`, in pages of `page_size`; nothing if there is no such list.
    #[must_use]
    pub fn of(catalog: &Catalog, list: &str, revision: Revision, page_size: usize) -> Option<Self> {
        let listing = Listing::ALL
            .into_iter()
            .find(|listing| listing.member() == list)?;
        Some(Self(Place::of(catalog, listing, revision, page_size)))
    }

    /// The cursor of a page.
    #[must_use]
    pub fn write(&self, page: usize) -> String {
        self.0.cursor(page)
    }

    /// The page that `cursor` stands for.
    ///
    /// # Errors
    /// What the client is told when it is no cursor of this list.
    pub fn read(&self, cursor: &str) -> Result<usize, &'static str> {
        self.0.page(cursor)
    }
}
