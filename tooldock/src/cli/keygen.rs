//! `tooldock-manager keygen`: tokens and the key of the secrets.

use std::{
    io,
    path::{Path, PathBuf},
};

use clap::Args;
use tooldock_secrets::{Disk, RealDisk, remedy, replace};
use zeroize::Zeroizing;

use super::{Failure, dev::random, say};

/// Bytes the file may have: one that was named by mistake is not read into memory.
const MOST: usize = 1 << 20;

/// What a gateway and its manager need, each a setting of theirs.
const NAMES: [&str; 4] = [
    "BEARER_TOKEN",
    "MANAGER_INTERNAL_TOKEN",
    "MANAGER_BEARER_TOKEN",
    "SECRETS_KEY",
];

#[derive(Debug, Args)]
pub(super) struct KeygenArguments {
    /// The file: what it has already stays as it is.
    #[arg(default_value = ".env")]
    file: PathBuf,
}

/// Adds what the file does not have yet. Nothing that was made is shown.
pub(super) fn run(arguments: &KeygenArguments) -> Result<(), Failure> {
    let file = &arguments.file;
    for (name, is_new) in complete(&RealDisk, file)? {
        let state = if is_new { "new" } else { "there already and stays" };
        say(format_args!("{name} is {state}."));
    }
    say(format_args!(
        "`{}` can be read by you alone. Keep a copy of SECRETS_KEY elsewhere: without it no secret can be opened again.",
        file.display()
    ));
    Ok(())
}

/// Adds what `file` does not have yet, in one step. Says of each name whether it is new.
fn complete(disk: &dyn Disk, file: &Path) -> Result<[(&'static str, bool); 4], Failure> {
    let failed = |action: &str, error: io::Error| {
        Failure::Run(format!(
            "cannot {action} `{}`: {error}; {}",
            file.display(),
            remedy(&error)
        ))
    };
    let kept = disk.read(file, MOST).map_err(|error| failed("read", error))?;
    let mut text = Zeroizing::new(kept.unwrap_or_default());
    if !text.is_empty() && !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    let has = |name: &str| {
        let lines = text.split(|byte| *byte == b'\n');
        let mut names = lines.filter_map(|line| Some(&line[..line.iter().position(|byte| *byte == b'=')?]));
        names.any(|known| known.trim_ascii() == name.as_bytes())
    };
    let made = NAMES.map(|name| (name, !has(name)));
    for (name, _) in made.iter().filter(|(_, is_new)| *is_new) {
        text.extend_from_slice(format!("{name}={}\n", *Zeroizing::new(random()?)).as_bytes());
    }
    replace(disk, file, &text).map_err(|error| failed("write", error))?;
    Ok(made)
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    use tooldock_secrets::testing::{Failing, Fault};

    use super::*;

    const KEPT: &str = "# mine\nBEARER_TOKEN=kept-token-1\n";

    /// Lets each operation go wrong in turn. The file is the old or a whole new one, and the next run leaves nothing beside it.
    fn try_all(fault: Fault) -> usize {
        for at in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join(".env");
            fs::write(&file, KEPT).unwrap();
            let disk = Failing::new(at, fault);
            let result = complete(&disk, &file);
            if disk.operations().len() <= at {
                return at;
            }
            let now = fs::read_to_string(&file).unwrap();
            let whole = now.starts_with(KEPT) && now.lines().count() == 5 && now.ends_with('\n');
            assert!(
                whole || now == KEPT && result.is_err(),
                "{fault:?} at {at}: {now}"
            );
            let made = complete(&RealDisk, &file).unwrap();
            assert_eq!(made[3], ("SECRETS_KEY", !whole), "{fault:?} at {at}");
            assert_eq!(
                fs::read_dir(folder.path()).unwrap().count(),
                1,
                "{fault:?} at {at}"
            );
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        }
        unreachable!("a run has an end")
    }

    /// EIO, ENOSPC, EACCES and EINTR, and writes that take one byte.
    #[test]
    fn r09_every_operation_fails_once() {
        for code in [5, 28, 13, 4] {
            assert!(try_all(Fault::Error(code)) > 5);
        }
        assert!(try_all(Fault::Short) > 5);
    }

    #[test]
    fn r07_a_kill_after_each_operation() {
        assert!(try_all(Fault::KilledAfter) > 5);
        assert!(try_all(Fault::KilledIn) > 5);
    }
}
