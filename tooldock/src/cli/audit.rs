//! `tooldock-manager audit`: looks at the audit log of a gateway.

use clap::{Args, Subcommand};

use super::{Failure, say};
use crate::audit::{AuditSettings, Verified, VerifyError, verify};

#[derive(Debug, Subcommand)]
pub(super) enum AuditCommand {
    /// Follow the chain of hashes (AUDIT_CHAIN) through all files, and name the first place where it is broken.
    Verify(VerifyArguments),
}

#[derive(Debug, Args)]
pub(super) struct VerifyArguments {
    /// A hash that this command printed earlier: fails when its line is no longer there.
    #[arg(long, value_name = "HASH")]
    head: Option<String>,
}

/// Runs a command.
pub(super) fn run(command: &AuditCommand, settings: &AuditSettings) -> Result<(), Failure> {
    let AuditCommand::Verify(arguments) = command;
    let Verified {
        files,
        lines,
        before,
        last,
    } = verify(&settings.folder, arguments.head.as_deref())?;
    if before > 0 {
        say(format_args!(
            "{before} lines are from before the chain began and prove nothing."
        ));
    }
    say(format_args!("{lines} lines in {files} files are whole."));
    say(format_args!(
        "The last has the hash {last}; keep it elsewhere and give it as `--head` next time."
    ));
    Ok(())
}

impl From<VerifyError> for Failure {
    fn from(error: VerifyError) -> Self {
        Self::Run(error.to_string())
    }
}
