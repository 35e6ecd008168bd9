//! A look-out for changed tools.

use std::fmt;

use futures_util::{
    FutureExt as _,
    stream::{self, BoxStream, StreamExt as _},
};
use tooldock_engine::{CallContext, Change};

use super::Told;
use crate::{
    listing::Listing,
    pages::{Fingerprint, Pages},
    revision::Revision,
    server::Server,
};

/// A look-out for changes of the tools that one caller sees in one namespace, as his revision has them.
pub(crate) struct ToolWatch {
    server: Server,
    cx: CallContext,
    revision: Revision,
    hints: BoxStream<'static, Change>,
}

impl ToolWatch {
    /// Begins to watch: what changes from here on is noticed.
    pub(crate) fn begin(server: &Server, cx: CallContext, revision: Revision) -> Self {
        let changes = server.shared().mounts.changes(&cx, cx.namespace(), &[]);
        let mut hints = changes.chain(stream::pending()).boxed();
        // A stream may subscribe to its source when it is first asked. A hint that is there already is no news: nobody has looked yet.
        hints.next().now_or_never();
        Self {
            server: server.clone(),
            cx,
            revision,
            hints,
        }
    }

    /// The list that is there now; nothing while the caller can see none.
    pub(crate) async fn look(&mut self) -> Option<Fingerprint> {
        let (caller, namespace) = (self.cx.caller(), self.cx.namespace());
        let mount = self
            .server
            .shared()
            .mounts
            .mount(caller, namespace.as_str())
            .ok()?;
        let catalog = mount.engine.catalog(&self.cx).await.ok()?;
        let page_size = self.server.settings().page_size;
        let pages = Pages::of(&catalog, Listing::Tools, self.revision, page_size);
        Some(pages.fingerprint())
    }

    /// Waits until there is a list that is still to be told.
    ///
    /// # Cancel safety
    /// Safe: it looks before it waits, so a hint that was taken is not lost.
    pub(crate) async fn changed(&mut self, told: &Told) {
        loop {
            if self.look().await.is_some_and(|seen| told.replace(seen)) {
                return;
            }
            while !matches!(self.hints.next().await, Some(Change::Tools | Change::Lagged)) {}
        }
    }
}

impl fmt::Debug for ToolWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolWatch")
            .field("namespace", self.cx.namespace())
            .field("revision", &self.revision)
            .finish_non_exhaustive()
    }
}
