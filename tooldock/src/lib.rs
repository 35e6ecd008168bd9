#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

pub mod audit;
#[cfg(feature = "cli")]
pub mod cli;
pub mod config;
mod gateway;
#[cfg(any(doc, doctest))]
pub mod guide;
pub mod http;
pub mod layers;
#[cfg(feature = "manager")]
pub mod manager;
#[cfg(feature = "outbound")]
pub mod outbound;
pub mod registry;
pub mod run;
#[cfg(feature = "secrets")]
pub mod secrets;
pub mod telemetry;

#[doc(inline)]
pub use tooldock_engine::{
    self as engine, CallContext, Caller, Catalog, EngineError, EngineExt, EngineLayer, EngineReply,
    EngineRequest, ErrorKind, NamespaceName, RawJson, StaticEngine, Tool, ToolEngine, ToolName, ToolOutput,
};
#[cfg(feature = "mcp")]
#[doc(inline)]
pub use tooldock_mcp as mcp;
#[cfg(feature = "openapi")]
#[doc(inline)]
pub use tooldock_openapi as openapi;
#[cfg(feature = "worker")]
#[doc(inline)]
pub use tooldock_worker as worker;

pub use self::gateway::{BuildError, Gateway, GatewayBuilder, ManagerGuard};

/// The programs in the README of the repository compile as they are printed.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct RootReadme;
