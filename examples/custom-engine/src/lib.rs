//! An engine of one's own: its tools change while it runs, and clients are told.

mod notebook;

use tooldock::{BuildError, Gateway, http::Bearer};

pub use self::notebook::Notebook;

/// The application: one namespace, `notes`.
///
/// # Errors
/// When something is named wrongly.
pub fn app() -> Result<axum::Router, BuildError> {
    let gateway = Gateway::builder()
        .namespace("notes", Notebook::new())
        .bearer(Bearer::anonymous())
        .build()?;
    Ok(gateway.router())
}
