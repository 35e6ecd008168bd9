#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod answer;
mod body;
mod call;
mod docs;
mod document;
mod error;
mod exchange;
mod list;
mod page;
mod router;
mod schema;
mod settings;

#[doc(inline)]
pub use self::{error::refusal, router::router, settings::RestSettings};
