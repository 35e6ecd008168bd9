//! How a protocol finds the engine of a namespace.

use std::{fmt, sync::Arc};

use crate::{
    Caller, Changes, NamespaceName, ToolEngine, context::CallContext, error::Result, request::ResourceUri,
};

/// An engine, found for one request and held until that request is answered, whatever a reload does meanwhile.
#[derive(Debug, Clone)]
pub struct Mount {
    /// The namespace.
    pub namespace: NamespaceName,
    /// Its engine with all layers around it.
    pub engine: Arc<dyn ToolEngine>,
}

/// Where protocols look up namespaces: the gateway's registry, or a single engine of your own.
pub trait Mounts: fmt::Debug + Send + Sync + 'static {
    /// Finds the engine of `namespace` for `caller`; whether he may is decided before whether it exists.
    ///
    /// # Errors
    /// [`NamespaceUnknown`](crate::ErrorKind::NamespaceUnknown), [`Forbidden`](crate::ErrorKind::Forbidden).
    fn mount(&self, caller: &Caller, namespace: &str) -> Result<Mount>;

    /// What may have changed in a namespace, also across an exchange of its engine.
    fn changes(&self, cx: &CallContext, namespace: &NamespaceName, watch: &[ResourceUri]) -> Changes;
}

/// One engine under its name; for programs and tests that serve a single namespace without a registry.
impl Mounts for Mount {
    fn mount(&self, _caller: &Caller, namespace: &str) -> Result<Mount> {
        if self.namespace.as_str() == namespace {
            return Ok(self.clone());
        }
        Err(crate::EngineError::new(
            crate::ErrorKind::NamespaceUnknown,
            format!(
                "there is no namespace `{}` here; this server has `{}` only",
                namespace.escape_debug(),
                self.namespace
            ),
        ))
    }

    fn changes(&self, cx: &CallContext, _namespace: &NamespaceName, watch: &[ResourceUri]) -> Changes {
        self.engine.changes(cx, watch)
    }
}
