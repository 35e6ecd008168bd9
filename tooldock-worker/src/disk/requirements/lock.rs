//! `requirements.lock`: every package with its version and the hashes of its files.

use std::{collections::BTreeSet, fmt};

use super::{RequirementError, line};

/// The name of the file.
pub(in crate::disk) const FILE: &str = "requirements.lock";
/// Bytes the file may have.
pub(in crate::disk) const MAX_BYTES: u64 = 2 << 20;
/// Packages it may name.
const MAX_PACKAGES: usize = 2000;

/// The packages of a namespace, all of them, each with its one version and the hashes its files may have: what
/// `uv pip compile --generate-hashes` and `uv export` write. Installed as it is; nothing is resolved.
///
/// ```
/// use tooldock_worker::disk::Lock;
/// let hash = format!("sha256:{}", "0".repeat(64));
/// let lock: Lock = format!("httpx==0.28.1 \\\n    --hash={hash}\n    # via -r requirements.in\n").parse()?;
/// assert_eq!(lock.to_string(), format!("httpx==0.28.1 --hash={hash}\n"));
/// let error = "httpx>=0.28\n".parse::<Lock>().unwrap_err();
/// assert!(error.to_string().starts_with("line 1: `httpx>=0.28` names no one version"));
/// # Ok::<(), tooldock_worker::disk::RequirementError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lock(BTreeSet<String>);

impl Lock {
    /// The packages, sorted, with their hashes.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl fmt::Display for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl std::str::FromStr for Lock {
    type Err = RequirementError;

    fn from_str(text: &str) -> Result<Self, RequirementError> {
        let mut packages = BTreeSet::new();
        let mut lines = text.lines().enumerate();
        while let Some((index, first)) = lines.next() {
            let mut entry = first.to_owned();
            // A comment ends where its line does, whatever stands there.
            let is_comment = first.trim_start().starts_with('#');
            while !is_comment && entry.ends_with('\\') {
                let (_, next) = lines.next().unwrap_or_default();
                entry.pop();
                entry.push(' ');
                entry.push_str(next.trim());
            }
            let refuse = |rule| RequirementError::new(index + 1, &entry, rule);
            packages.extend(read(&entry).map_err(refuse)?);
            if packages.len() > MAX_PACKAGES {
                return Err(refuse(
                    "is one package too many; 2000 are the most a lock may name",
                ));
            }
        }
        Ok(Self(packages))
    }
}

/// One package on one line, in normal form; `None` when it is blank or a comment.
fn read(entry: &str) -> Result<Option<String>, &'static str> {
    let (package, hashes) = entry
        .split_once("--hash=")
        .map_or((entry, None), |(package, hashes)| (package, Some(hashes)));
    let Some(package) = line::read(package)? else {
        return Ok(None);
    };
    let requirement = package.split(';').next().unwrap_or_default();
    let one = requirement
        .split_once("==")
        .is_some_and(|(name, version)| !name.contains(['<', '>', '~', '!']) && !version.contains([',', '*']));
    if !one {
        return Err("names no one version; a lock pins every package, as in `httpx==0.28.1`");
    }
    let hashes = hashes.ok_or("has no hash; write the lock with `uv pip compile --generate-hashes`")?;
    let hashes = hashes
        .split("--hash=")
        .map(str::trim)
        .map(check_hash)
        .collect::<Result<BTreeSet<_>, _>>()?;
    Ok(Some(
        hashes
            .iter()
            .fold(package, |line, hash| format!("{line} --hash={hash}")),
    ))
}

fn check_hash(text: &str) -> Result<&str, &'static str> {
    let digits = text.strip_prefix("sha256:").unwrap_or_default();
    let fits = digits.len() == 64 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    fits.then_some(text)
        .ok_or("has a hash that is no `sha256:` with 64 hexadecimal digits")
}
