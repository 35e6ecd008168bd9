//! How protocols reach the engines of a registry.

use futures_util::stream;
use tooldock_engine::{
    CallContext, Caller, Changes, EngineError, ErrorKind, Mount, Mounts, NamespaceName, error::Result,
    request::ResourceUri,
};

use super::{Registry, follow::Follow, forbidden_namespace};

impl Mounts for Registry {
    fn mount(&self, caller: &Caller, namespace: &str) -> Result<Mount> {
        if !caller.principal.rights().may_enter(namespace) {
            return Err(forbidden_namespace(namespace));
        }
        loop {
            if self.closed.is_cancelled() {
                return Err(EngineError::new(
                    ErrorKind::Unavailable,
                    "the gateway is shutting down",
                ));
            }
            let snapshot = self.snapshot();
            let Some((name, entry)) = snapshot.get(namespace) else {
                return Err(snapshot.unknown(namespace));
            };
            // An engine that was exchanged since the look at the snapshot gives no lease; its successor does.
            if let Some(engine) = entry.lease(snapshot.revision()) {
                return Ok(Mount {
                    namespace: name.clone(),
                    engine,
                });
            }
        }
    }

    fn changes(&self, cx: &CallContext, namespace: &NamespaceName, watch: &[ResourceUri]) -> Changes {
        let follow = Follow::new(cx, namespace, watch, self.snapshot.subscribe());
        Changes::from_stream(stream::unfold(follow, |mut follow| async move {
            Some((follow.next().await?, follow))
        }))
    }
}
