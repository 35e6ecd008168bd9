//! The public API of a crate: one line for each item.

use public_api::Builder;

use crate::rustdoc::{self, Form};

/// Lists what `package` offers with all its features.
///
/// What the compiler derives is left out: it is seen where the type is declared.
pub(crate) fn list(package: &str) -> Result<String, String> {
    rustdoc::document(package, Form::Json)?;
    let file = rustdoc::folder().join(format!("doc/{}.json", package.replace('-', "_")));
    let api = Builder::from_rustdoc_json(&file)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(format!("{api}"))
}
