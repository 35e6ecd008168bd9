//! Clones a repository into a snapshot.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use tokio::{
    io::AsyncReadExt as _,
    time::{interval, timeout},
};

use super::{
    Limits, RepoAddress, Snapshot, SnapshotWriter, SourceError,
    blobs::copy_blobs,
    git::{Git, Run},
    listing::list,
};
use crate::outbound::{Guard, HostPort};

/// How often the size of a clone is looked at.
const LOOK: Duration = Duration::from_millis(100);
/// Bytes of complaints of git that are read.
const COMPLAINTS: u64 = 64 << 10;

/// How repositories are cloned.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ClonerSettings {
    /// Which hosts may be connected to.
    pub guard: Guard,
    /// The only hosts to clone from; any when there are none.
    pub hosts: Vec<HostPort>,
    /// A file of certificates (PEM) to trust instead of those of the system.
    pub certificates: Option<PathBuf>,
    /// `PATH`, where `git` is looked for.
    pub search_path: String,
    /// What a repository may cost.
    pub limits: Limits,
}

impl ClonerSettings {
    /// Any public host, the usual limits.
    #[must_use]
    pub fn new(guard: Guard, search_path: String) -> Self {
        Self {
            guard,
            hosts: Vec::new(),
            certificates: None,
            search_path,
            limits: Limits::default(),
        }
    }
}

/// Clones repositories with the `git` program.
#[derive(Debug, Clone)]
pub struct Cloner(ClonerSettings);

impl Cloner {
    /// A cloner with these settings.
    #[must_use]
    pub fn new(settings: ClonerSettings) -> Self {
        Self(settings)
    }

    /// Clones the newest state of a repository's default branch and gives its files as the snapshot in `folder`, an empty one.
    ///
    /// # Errors
    /// The host is refused, git cannot clone it, or a limit is reached.
    ///
    /// # Cancel safety
    /// Dropping it kills git and everything it has started, and leaves what it wrote in `folder`, for its owner to remove.
    pub async fn clone_into(&self, address: &RepoAddress, folder: &Path) -> Result<Snapshot, SourceError> {
        let hosts = &self.0.hosts;
        if !hosts.is_empty() && !hosts.contains(address.host()) {
            return Err(SourceError::NotListed(address.host().to_string()));
        }
        let limits = self.0.limits;
        let late = |_| SourceError::Limit {
            what: format!("it took longer than {} s", limits.time.as_secs()),
            setting: "CLONE_TIMEOUT_SECONDS",
        };
        timeout(limits.time, self.fetch(address, folder))
            .await
            .map_err(late)?
    }

    async fn fetch(&self, address: &RepoAddress, folder: &Path) -> Result<Snapshot, SourceError> {
        let host = address.host();
        let addresses = self.0.guard.check(host).await?;
        let ips: Vec<String> = addresses.iter().map(|address| bracketed(address.ip())).collect();
        let pinned = format!(
            "http.curloptResolve={}:{}:{}",
            host.host(),
            host.port(),
            ips.join(",")
        );
        let git = Git {
            search_path: self.0.search_path.clone(),
            certificates: self.0.certificates.clone(),
        };
        let (bare, limits) = (folder.join("clone.git"), self.0.limits);
        let filter = format!("--filter=blob:limit={}", limits.file_bytes);
        let mut args: Vec<&str> = vec![
            "clone",
            "--quiet",
            "--bare",
            "--depth=1",
            "--single-branch",
            "--no-tags",
            "--template=",
        ];
        args.extend([filter.as_str(), "--", address.as_str(), "clone.git"]);
        let run = git.start(folder, Stdio::null(), &[pinned], args)?;
        watched(run, &bare, limits.total_bytes).await?;
        let mut writer = SnapshotWriter::new(folder, limits)?;
        let blobs = list(&git, &bare, &mut writer).await?;
        copy_blobs(&git, &bare, &blobs, &mut writer).await?;
        std::fs::remove_dir_all(&bare)?;
        Ok(writer.finish()?)
    }
}

fn bracketed(address: std::net::IpAddr) -> String {
    match address {
        std::net::IpAddr::V4(address) => address.to_string(),
        std::net::IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// Waits for git to end well, and looks at what it writes meanwhile.
async fn watched(mut run: Run, folder: &Path, most: u64) -> Result<(), SourceError> {
    let complaints = run.child.stderr.take();
    let heard = async {
        let mut text = Vec::new();
        if let Some(pipe) = complaints {
            pipe.take(COMPLAINTS).read_to_end(&mut text).await?;
        }
        Ok::<_, std::io::Error>(text)
    };
    let ended = async {
        let mut ticks = interval(LOOK);
        loop {
            let status = tokio::select! {
                status = run.child.wait() => Some(status?),
                _ = ticks.tick() => None,
            };
            if size(folder) > most {
                return Err(SourceError::Limit {
                    what: format!("the clone is larger than {most} bytes"),
                    setting: "CLONE_MAX_MB",
                });
            }
            if let Some(status) = status {
                return Ok(status);
            }
        }
    };
    let ended = async {
        let status = ended.await;
        // What it left behind would keep the pipe open.
        run.group.kill();
        status
    };
    let (status, text) = tokio::join!(ended, heard);
    if status?.success() {
        return Ok(());
    }
    Err(SourceError::Git(last_line(&text?)))
}

/// Bytes of the files below a folder that git writes: three levels hold everything.
fn size(folder: &Path) -> u64 {
    fn below(folder: &Path, levels: u8) -> u64 {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let size = |entry: std::fs::DirEntry| match entry.metadata() {
            Ok(about) if about.is_dir() && levels > 0 => below(&entry.path(), levels - 1),
            Ok(about) => about.len(),
            Err(_) => 0,
        };
        entries.map(size).sum()
    }
    below(folder, 3)
}

/// What git said last, without characters that act on a terminal.
fn last_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let told = text
        .lines()
        .rfind(|line| !line.trim().is_empty())
        .unwrap_or("it said nothing");
    told.chars().filter(|c| !c.is_control()).take(300).collect()
}
