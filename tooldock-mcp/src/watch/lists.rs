//! A look-out for changed lists.

use std::fmt;

use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use tooldock_engine::{CallContext, Change};

use super::{List, Told, hints, list::Seen};
use crate::{revision::Revision, server::Server};

/// A look-out for changes of the lists that one caller sees in one namespace, as his revision has them.
pub(crate) struct ListWatch {
    server: Server,
    cx: CallContext,
    revision: Revision,
    hints: BoxStream<'static, Change>,
}

impl ListWatch {
    /// Begins to watch: what changes from here on is noticed.
    pub(crate) fn begin(server: &Server, cx: CallContext, revision: Revision) -> Self {
        Self {
            hints: hints(&*server.shared().mounts, &cx, &[]),
            server: server.clone(),
            cx,
            revision,
        }
    }

    /// The lists that are there now; nothing while the caller can see none.
    pub(crate) fn look(&mut self) -> Option<Seen> {
        let (caller, namespace) = (self.cx.caller(), self.cx.namespace());
        let mount = self
            .server
            .shared()
            .mounts
            .mount(caller, namespace.as_str())
            .ok()?;
        let catalog = mount.engine.catalog(&self.cx).ok()?;
        Some(List::see(
            &catalog,
            self.revision,
            self.server.settings().page_size,
        ))
    }

    /// Waits until there is a list that is still to be told of.
    ///
    /// # Cancel safety
    /// Safe: it looks before it waits, so a hint that was taken is not lost.
    pub(crate) async fn changed(&mut self, told: &Told) -> List {
        loop {
            if let Some(list) = self.look().and_then(|seen| told.replace(&seen)) {
                return list;
            }
            while matches!(self.hints.next().await, None | Some(Change::Updated(_))) {}
        }
    }
}

impl fmt::Debug for ListWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListWatch")
            .field("namespace", self.cx.namespace())
            .field("revision", &self.revision)
            .finish_non_exhaustive()
    }
}
