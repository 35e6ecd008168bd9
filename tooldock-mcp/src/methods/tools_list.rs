//! `tools/list`: a page of the tools the caller may use.

use crate::{connection::Reply, methods::Turn, pages::ToolPages, refusal::Refusal, wire::Request};

pub(crate) async fn answer(turn: &Turn, request: &Request) -> Result<Reply, Refusal> {
    let cursor = match request.params.get("cursor") {
        None => None,
        Some(cursor) if cursor.is_null() => None,
        Some(cursor) => Some(
            cursor
                .parse::<String>()
                .map_err(|_| Refusal::params("`params.cursor` must be a text"))?,
        ),
    };
    let catalog = turn.catalog(&turn.context(request.params.meta())).await?;
    let pages = ToolPages::of(
        &catalog,
        turn.revision(),
        turn.inner().server.settings().page_size,
    );
    let page = pages.page(cursor.as_deref()).ok_or_else(|| {
        Refusal::params(
            "the cursor is none of this list, or the list has changed since; list again without a cursor",
        )
    })?;
    Ok(turn.result(request, Some(&catalog), page.tools.len(), |out| {
        out.raw("tools", &page.tools);
        if let Some(next) = &page.next {
            out.string("nextCursor", next);
        }
        turn.write_hints(out);
    }))
}
