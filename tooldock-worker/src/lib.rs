#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

pub mod disk;
mod engine;
pub mod host;
mod outline;
mod output;
mod process;
pub mod report;
#[cfg_attr(
    not(feature = "testing"),
    expect(
        unreachable_pub,
        dead_code,
        reason = "parts of it are public for `testing` only"
    )
)]
mod rpc;
mod runtime;
pub mod sandbox;
mod supervise;
#[cfg(feature = "testing")]
pub mod testing;
mod venv;

#[doc(inline)]
pub use self::{
    disk::{Manifest, NamespaceFolder, Rejected, Requirements, Scan, ToolsFolder},
    engine::WorkerEngine,
    host::{
        HostSettings, InstallerSettings, LogProgress, NamespaceOptions, Progress, WorkerHost, WorkerLimits,
    },
    outline::{Outline, OutlinedTool, SourceProblem},
    output::{LogLine, LogStream},
    process::{Environment, ProcessGroup, Usage},
    report::{LoadError, LoadReport, ProcessState, RuntimeInfo, ToolSource, ToolTraceback, WorkerState},
};

/// A path that means the same from everywhere; unchanged where the current folder is gone.
fn absolute(path: std::path::PathBuf) -> std::path::PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

/// Bytes as hexadecimal text.
fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(u32::from(digit), 16))
        .collect()
}
