//! One run of a program that must end: bounded in time and output, and gone with its group when dropped.

use std::{ffi::OsStr, fmt, path::Path, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _},
    process::Command,
};

use crate::{process::ProcessGroup, sandbox::Limits};

/// Bytes of output that are kept, from its end.
const KEEP: usize = 64 << 10;

/// A program with a clean environment, about to run.
#[derive(Debug)]
pub(crate) struct Step {
    command: Command,
    input: Vec<u8>,
    keep: usize,
}

/// Why a step failed: the last lines it said.
#[derive(Debug)]
pub(crate) struct StepError(String);

impl Step {
    pub(crate) fn new(program: &Path) -> Self {
        let mut command = Command::new(program);
        command
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.process_group(0).kill_on_drop(true);
        Self {
            command,
            input: Vec::new(),
            keep: KEEP,
        }
    }

    /// What it finds on its standard input, where it runs in no folder of ours; without this there is nothing.
    pub(crate) fn input(mut self, bytes: Vec<u8>) -> Self {
        self.command.stdin(Stdio::piped()).current_dir("/");
        self.input = bytes;
        self
    }

    /// How much of what it prints is kept, from its end; 64 KiB without this.
    pub(crate) fn keep(mut self, bytes: usize) -> Self {
        self.keep = bytes;
        self
    }

    pub(crate) fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    /// What it may use of the machine; without this as much as there is.
    pub(crate) fn limits(mut self, limits: Limits) -> Self {
        limits.put_on(&mut self.command);
        self
    }

    /// An option with its value.
    pub(crate) fn arg_pair(mut self, option: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.arg(option).arg(value);
        self
    }

    pub(crate) fn envs<K: AsRef<OsStr>, V: AsRef<OsStr>>(
        mut self,
        variables: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        self.command.envs(variables);
        self
    }

    /// Runs it for at most `limit` and gives what it printed.
    pub(crate) async fn run(mut self, limit: Duration) -> Result<String, StepError> {
        let failed = |error: std::io::Error| StepError(error.to_string());
        let mut child = self.command.spawn().map_err(failed)?;
        let mut group = ProcessGroup::of(child.id());
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let ended = async {
            let status = child.wait().await;
            // What it left behind would keep the pipes open.
            group.kill();
            status
        };
        let fed = async {
            let Some(mut stdin) = stdin else { return };
            // It may end before it has read everything.
            stdin.write_all(&self.input).await.ok();
        };
        let all = async { tokio::join!(ended, tail(stdout, self.keep), tail(stderr, KEEP), fed) };
        let (status, told, complained, ()) = tokio::time::timeout(limit, all).await.map_err(|_| {
            StepError(format!(
                "it did not end within {} s and was stopped",
                limit.as_secs()
            ))
        })?;
        let status = status.map_err(failed)?;
        if status.success() {
            return Ok(told);
        }
        // Who is killed says nothing, but the system says what he died of.
        let texts = [last_lines(&complained), last_lines(&told), status.to_string()];
        let telling = texts.into_iter().find(|text| !text.is_empty());
        Err(StepError(telling.unwrap_or_default()))
    }
}

impl StepError {
    pub(super) fn new(what: String) -> Self {
        Self(what)
    }

    /// Adds the setting that goes with what it says, out of pairs of a text and a setting.
    pub(super) fn with_setting(self, settings: &[(&str, &str)]) -> Self {
        let met = settings.iter().find(|(text, _)| self.0.contains(text));
        match met {
            Some((_, setting)) => Self(format!("{}; {setting} sets how much it may take", self.0)),
            None => self,
        }
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads to the end and keeps the last `keep` bytes.
async fn tail(pipe: Option<impl AsyncRead + Unpin>, keep: usize) -> String {
    let Some(mut pipe) = pipe else {
        return String::new();
    };
    let (mut kept, mut chunk) = (Vec::new(), vec![0; 16 << 10]);
    while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
        kept.extend_from_slice(&chunk[..count]);
        kept.drain(..kept.len().saturating_sub(keep));
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// The last lines that say something, with credentials in addresses masked.
fn last_lines(text: &str) -> String {
    let telling = |line: &&str| {
        !line.is_empty() && !line.starts_with("[notice]") && !line.starts_with("WARNING: You are using")
    };
    let lines: Vec<&str> = text.lines().map(str::trim).filter(telling).collect();
    let last = &lines[lines.len().saturating_sub(4)..];
    let plain: String = last.join(" | ").chars().filter(|c| !c.is_control()).collect();
    mask(&plain).chars().take(800).collect()
}

/// Takes `user:password@` out of every address.
fn mask(text: &str) -> String {
    let mut parts = text.split("://");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part
            .find(|c: char| c == '/' || c.is_whitespace())
            .unwrap_or(part.len());
        let start = part[..end].rfind('@').map_or(0, |at| at + 1);
        out.push_str("://");
        out.push_str(&part[start..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_masked_and_the_end_is_what_counts() {
        let text = "Looking\n\n[notice] new\nat https://joe:pa@ss@index.example/simple/\nERROR: No matching distribution found for nope";
        assert_eq!(
            last_lines(text),
            "Looking | at https://index.example/simple/ | ERROR: No matching distribution found for nope"
        );
    }

    #[tokio::test]
    async fn what_a_step_leaves_behind_does_not_keep_it() {
        let step = Step::new(Path::new("/bin/sh")).args(["-c", "sleep 600 & echo done"]);
        let run = step
            .envs([("PATH", "/usr/bin:/bin")])
            .run(Duration::from_secs(20));
        assert_eq!(run.await.unwrap().trim(), "done");
    }

    #[tokio::test]
    async fn a_step_is_stopped_at_its_limit_with_its_children() {
        let marker = tempfile::NamedTempFile::new().unwrap();
        let script = format!(
            "(trap '' TERM; exec sleep 600) & echo $! > {}; wait",
            marker.path().display()
        );
        let step = Step::new(Path::new("/bin/sh"))
            .args(["-c", &script])
            .envs([("PATH", "/usr/bin:/bin")]);
        let error = step.run(Duration::from_millis(500)).await.unwrap_err();
        assert_eq!(error.to_string(), "it did not end within 0 s and was stopped");
        let child: i32 = std::fs::read_to_string(marker.path())
            .unwrap()
            .trim()
            .parse()
            .unwrap();
        let child = rustix::process::Pid::from_raw(child).unwrap();
        let gone = || match std::fs::read_to_string(format!("/proc/{child}/stat")) {
            Ok(stat) => stat.contains(") Z "),
            Err(_) => true,
        };
        tokio::time::timeout(Duration::from_secs(5), async {
            while !gone() {
                tokio::task::yield_now().await;
            }
        })
        .await
        .expect("the child of the step ended");
    }
}
