//! The settings of the sandbox that workers run in.

use std::path::PathBuf;

use tooldock_worker::sandbox::{SandboxSettings, UserRange};

use super::reader::Reader;

/// Bytes of a MiB.
pub(super) const MIB: u64 = 1 << 20;

/// Reads the settings of the sandbox.
pub(super) fn read(read: &mut Reader<'_>) -> SandboxSettings {
    let mut settings = SandboxSettings::default();
    settings.mode = read.parse("WORKER_SANDBOX", "`off`, `best-effort` or `strict`");
    settings.memory = read.number("WORKER_MEMORY_MB", 64..=1 << 20) * MIB;
    settings.file_size = read.number("WORKER_FILE_MB", 1..=1 << 20) * MIB;
    settings.open_files = read.number("WORKER_OPEN_FILES", 64..=1 << 20);
    settings.processes = read.count("WORKER_PROCESSES", 1..=100_000);
    settings.filter_system_calls = read.either("WORKER_FILTER_SYSTEM_CALLS", ["true", "false"]);
    settings.users = users(read);
    settings.read = paths(read, "WORKER_READ_PATHS");
    settings.write = paths(read, "WORKER_WRITE_PATHS");
    settings
}

fn users(read: &mut Reader<'_>) -> Option<UserRange> {
    let text = read.optional("WORKER_USERS")?;
    let range = text.parse().map_err(|error| {
        let shown = text.escape_debug();
        read.mistakes.push(format!("WORKER_USERS is `{shown}`; {error}"));
    });
    range.ok()
}

fn paths(read: &mut Reader<'_>, name: &str) -> Vec<PathBuf> {
    let paths: Vec<PathBuf> = read.list(name, "a path");
    for path in paths.iter().filter(|path| !is_inside(path)) {
        let shown = path.to_string_lossy();
        read.mistakes.push(format!(
            "{name} holds `{}`; each part must be an absolute path, and not the root",
            shown.escape_debug()
        ));
    }
    paths
}

/// Whether a path is absolute and not the root of everything.
pub(super) fn is_inside(path: &std::path::Path) -> bool {
    path.is_absolute() && path.parent().is_some()
}
