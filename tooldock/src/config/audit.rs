//! The settings of the audit log.

use std::path::PathBuf;

use super::{Mistakes, Sources, reader::Reader};
use crate::audit::AuditSettings;

const YES_OR_NO: [&str; 2] = ["true", "false"];

impl AuditSettings {
    /// Reads them alone, for commands that need nothing else.
    ///
    /// # Errors
    /// Every mistake at once.
    pub fn read(sources: &Sources<'_>) -> Result<Self, Mistakes> {
        let mut read = Reader::new(sources);
        let settings = with(&mut read);
        read.mistakes.or(settings)
    }
}

/// Reads how the log is kept; nothing when none is wanted.
pub(super) fn read(read: &mut Reader<'_>) -> Option<AuditSettings> {
    let wanted = read.either("AUDIT", ["on", "off"]);
    let settings = with(read);
    wanted.then_some(settings)
}

fn with(read: &mut Reader<'_>) -> AuditSettings {
    let folder = read.optional("AUDIT_DIR").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| PathBuf::from(read.text("DATA_DIR")).join("logs"));
    let mut settings = AuditSettings::new(folder);
    settings.keep_days = read.number("LOG_RETENTION_DAYS", 1..=36_500);
    settings.queue = read.count("AUDIT_QUEUE", 1..=1_000_000);
    settings.fail_closed = read.either("AUDIT_FAIL_CLOSED", YES_OR_NO);
    settings.chain = read.either("AUDIT_CHAIN", YES_OR_NO);
    settings.content_bytes = read.count("AUDIT_CONTENT_BYTES", 0..=65_536);
    settings
}
