//! Hints that something may have changed.

use futures_util::{
    FutureExt as _,
    stream::{self, BoxStream, StreamExt as _},
};
use tooldock_engine::{CallContext, Change, Mounts, request::ResourceUri};

/// Hints from here on. They never end: an engine that never changes again is silent.
pub(super) fn hints(
    mounts: &dyn Mounts,
    cx: &CallContext,
    watch: &[ResourceUri],
) -> BoxStream<'static, Change> {
    let changes = mounts.changes(cx, cx.namespace(), watch);
    let mut hints = changes.chain(stream::pending()).boxed();
    // A stream may subscribe to its source when it is first asked. A hint that is there already is no news: nobody has looked yet.
    hints.next().now_or_never();
    hints
}
