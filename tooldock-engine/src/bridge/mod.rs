//! The bridge to Tower, both ways: an engine as a [`Service`](tower_service::Service), and any Tower layer around an engine.
//!
//! ```
//! use std::{sync::Arc, time::Duration};
//! use tooldock_engine::{CallContext, Caller, EngineExt as _, EngineLayer as _, RawJson, StaticEngine, Tool, ToolOutput, bridge::TowerLayer};
//! use tower::timeout::TimeoutLayer;
//!
//! # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
//! let engine = StaticEngine::builder()
//!     .tool(Tool::new("ping".parse()?), async |_cx, _arguments| Ok(ToolOutput::text("pong")))
//!     .build()?;
//! let bounded = TowerLayer::new(TimeoutLayer::new(Duration::from_secs(5))).layer(&"demo".parse()?, Arc::new(engine));
//! let cx = CallContext::new(Caller::local(), "demo".parse()?);
//! assert_eq!(bounded.call_tool(cx, "ping", RawJson::empty_object()).await?, ToolOutput::text("pong"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

mod error;
mod layer;
mod service;

pub use self::{
    error::engine_error,
    layer::{TowerEngine, TowerLayer},
    service::{EngineCall, EngineService},
};
