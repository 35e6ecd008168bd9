//! Layers: one engine turned into another.

use std::{fmt, sync::Arc};

use crate::{NamespaceName, ToolEngine};

/// Puts a policy around an engine: a timeout, a limit, an audit.
///
/// State that must outlive a reload (semaphores, counters) belongs to the layer, keyed by namespace, not to the engine it makes.
///
/// ```
/// # use std::sync::Arc;
/// # use tooldock_engine::{EngineLayer, LayerStack, NamespaceName, StaticEngine, ToolEngine};
/// #[derive(Debug)]
/// struct Nothing;
/// impl EngineLayer for Nothing {
///     fn layer(&self, _namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> { inner }
/// }
/// let stack = LayerStack::new().with(Nothing).with(Nothing);
/// let engine = stack.layer(&"demo".parse()?, Arc::new(StaticEngine::builder().build()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait EngineLayer: fmt::Debug + Send + Sync + 'static {
    /// Puts this layer around `inner`, the engine of `namespace`.
    fn layer(&self, namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine>;
}

/// Several layers, outermost first, as one.
#[derive(Debug, Clone, Default)]
pub struct LayerStack(Vec<Arc<dyn EngineLayer>>);

impl LayerStack {
    /// No layer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a layer inside those that are there: a request meets them in the order of the calls.
    #[must_use]
    pub fn with(mut self, layer: impl EngineLayer) -> Self {
        self.0.push(Arc::new(layer));
        self
    }
}

impl EngineLayer for LayerStack {
    fn layer(&self, namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        self.0
            .iter()
            .rev()
            .fold(inner, |engine, layer| layer.layer(namespace, engine))
    }
}

/// A layer that may be left out: nothing stands where there is none.
impl<L: EngineLayer> EngineLayer for Option<L> {
    fn layer(&self, namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        match self {
            Some(layer) => layer.layer(namespace, inner),
            None => inner,
        }
    }
}
