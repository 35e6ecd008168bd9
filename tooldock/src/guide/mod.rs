//! How to write what ToolDock lets you write: each page is a program that compiles.

#[doc = include_str!("engine.md")]
pub mod engine {}

#[doc = include_str!("layer.md")]
pub mod layer {}

#[doc = include_str!("transport.md")]
pub mod transport {}

#[doc = include_str!("testing.md")]
pub mod testing {}
