#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

#[cfg(feature = "bridge")]
pub mod bridge;
pub mod catalog;
pub mod changes;
pub mod context;
mod engine;
pub mod error;
mod ext;
pub mod fixed;
pub mod json;
mod layer;
mod mount;
pub mod name;
pub mod output;
pub mod request;
pub mod secret;
#[cfg(feature = "testing")]
pub mod testing;

#[doc(inline)]
pub use self::{
    catalog::{Catalog, Tool},
    changes::{Change, Changes},
    context::{CallContext, Caller, Door},
    engine::ToolEngine,
    error::{EngineError, ErrorKind, Fault, Result},
    ext::EngineExt,
    fixed::StaticEngine,
    json::RawJson,
    layer::{EngineLayer, LayerStack},
    mount::{Mount, Mounts},
    name::{NamespaceName, ToolName},
    output::{EngineReply, ToolOutput},
    request::EngineRequest,
};
