//! `tools/list`, `prompts/list`, `resources/list`, `resources/templates/list`: a page of what the caller may use.

use crate::{
    connection::Reply, listing::Listing, methods::Turn, pages::Pages, refusal::Refusal, wire::Request,
};

pub(crate) async fn answer(turn: &Turn, request: &Request, listing: Listing) -> Result<Reply, Refusal> {
    let cursor = match request.params.get("cursor") {
        None => None,
        Some(cursor) if cursor.is_null() => None,
        Some(cursor) => Some(
            cursor
                .parse::<String>()
                .map_err(|_| Refusal::params("`params.cursor` must be a text"))?,
        ),
    };
    let catalog = turn.catalog(&turn.context(request.params.meta()))?;
    if let Some(kind) = listing.kind() {
        turn.require(&catalog, kind, request)?;
    }
    let page_size = turn.inner().server.settings().page_size;
    let pages = Pages::of(&catalog, listing, turn.revision(), page_size);
    let page = pages.page(cursor.as_deref()).map_err(Refusal::params)?;
    Ok(
        turn.result(request, Some(&catalog), page.items.len(), |out, encoder| {
            out.raw(listing.member(), &page.items);
            if let Some(next) = &page.next {
                out.string("nextCursor", next);
            }
            encoder.write_hints(out);
        }),
    )
}
