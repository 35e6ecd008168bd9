//! Who did what, kept on disk: one JSON object a line, one file a day.
//!
//! [`AuditLog`] puts the line about a request into a queue with a bound; [`AuditWriter`] owns the thread that writes it. A file
//! is called `2026-11-28.jsonl` after its day in UTC. Lines are printable ASCII, so that nothing in a name or an address can end one or
//! steer a terminal.
//!
//! | `event` | What the line tells |
//! |---|---|
//! | `opened` | the writer begins or goes on with this file; `cut_bytes` of a line that was not written to its end were taken off |
//! | `call` | one request has ended: who, what, `verdict`, `outcome`, times in milliseconds, sizes in bytes |
//! | `denied` | one request was turned away before there was a call: who and from where, as far as that is known, and `status`; `more` others before it have no line |
//! | `lost` | so many records were not written, because the queue was full |
//!
//! What cannot be written stays in the queue and is tried again each second. A full queue loses records and counts them, or, with
//! [`fail_closed`](AuditSettings::fail_closed), refuses calls until there is room. A killed process loses what came within the last
//! 20 ms; what was written is flushed to the disk when the day or the program ends.
//!
//! ```
//! use tooldock::{
//!     CallContext, Caller, EngineExt as _, EngineLayer as _, RawJson, StaticEngine,
//!     audit::{AuditSettings, AuditWriter}, layers::AuditLayer,
//! };
//!
//! # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
//! let folder = tempfile::tempdir()?;
//! let writer = AuditWriter::start(AuditSettings::new(folder.path()))?;
//! let audit = AuditLayer::new(writer.log());
//! let engine = audit.layer(&"demo".parse()?, std::sync::Arc::new(StaticEngine::builder().build()?));
//! let cx = CallContext::new(Caller::local(), "demo".parse()?);
//! engine.call_tool(cx, "add", RawJson::empty_object()).await.unwrap_err();
//! drop(writer); // writes what is left
//! let file = std::fs::read_dir(folder.path())?.next().expect("the file of today")?;
//! let lines = std::fs::read_to_string(file.path())?;
//! assert!(lines.lines().nth(1).is_some_and(|line| line.contains(r#""outcome":"tool_not_found""#)), "{lines}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

mod batch;
mod call;
mod chain;
mod day;
mod denied;
mod folder;
mod line;
mod log;
mod page;
mod queue;
mod settings;
#[cfg(test)]
mod tests;
mod verify;
mod writer;

pub use self::{
    log::{AuditLog, AuditStatus},
    settings::AuditSettings,
    verify::{Verified, VerifyError, verify},
    writer::AuditWriter,
};
