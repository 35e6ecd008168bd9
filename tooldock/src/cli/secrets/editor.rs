//! The editor that a person likes.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::{
    process::{Child, Command},
    time::timeout,
};
use tooldock_secrets::EditSession;

use super::{
    super::{Failure, terminal},
    Signals,
};
use crate::config::{Environment, SETTINGS};

/// How long an editor may take to end when it is told to.
const GRACE: Duration = Duration::from_secs(2);

/// An editor as its command line.
pub(super) struct Editor {
    words: Vec<String>,
}

impl Editor {
    /// `$VISUAL`, else `$EDITOR`, else `vi`; words are separated by spaces.
    pub(super) fn find(environment: &dyn Environment) -> Self {
        let set = |name| {
            environment
                .get(name)
                .ok()
                .flatten()
                .filter(|text: &String| !text.trim().is_empty())
        };
        let line = set("VISUAL")
            .or_else(|| set("EDITOR"))
            .unwrap_or_else(|| "vi".to_owned());
        Self {
            words: line.split_whitespace().map(str::to_owned).collect(),
        }
    }

    /// Opens the sheet and waits for the end. It is not given our tokens and keys, and its temporary files lie with the sheet.
    pub(super) async fn open(&self, session: &EditSession<'_>, signals: &mut Signals) -> Result<(), Failure> {
        let [program, words @ ..] = self.words.as_slice() else {
            return Err(Failure::Run("EDITOR is empty".to_owned()));
        };
        let mut command = Command::new(program);
        command
            .args(words)
            .arg(session.path())
            .env("TMPDIR", session.folder())
            .kill_on_drop(true);
        for setting in SETTINGS.iter().filter(|setting| setting.secret) {
            command.env_remove(setting.name);
        }
        let mut child = command.spawn().map_err(|error| {
            Failure::Run(format!(
                "cannot start the editor `{program}`: {error}; set EDITOR to one that is there"
            ))
        })?;
        let status = loop {
            tokio::select! {
                status = child.wait() => break status?,
                caught = signals.next() => {
                    // At a terminal ^C goes to the editor as well, and means something to it.
                    if caught.is_interrupt() && terminal::is_there() {
                        continue;
                    }
                    end(&mut child).await;
                    return Err(caught.failure());
                }
            }
        };
        if status.success() {
            return Ok(());
        }
        Err(Failure::Run(format!(
            "the editor `{program}` ended with {status}; nothing was changed"
        )))
    }
}

/// Lets an editor end by itself, and kills it when it does not.
async fn end(child: &mut Child) {
    if let Some(pid) = child.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
        kill_process(pid, Signal::TERM).ok();
    }
    if timeout(GRACE, child.wait()).await.is_err() {
        child.kill().await.ok();
    }
}
