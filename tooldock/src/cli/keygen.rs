//! `tooldock-manager keygen`: tokens and the key of the secrets.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use clap::Args;
use zeroize::Zeroizing;

use super::{Failure, dev::random, say};

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
    let failed = |action: &str, error: io::Error| {
        Failure::Run(format!("cannot {action} `{}`: {error}", file.display()))
    };
    let mut text = Zeroizing::new(match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.map_err(|error| failed("read", error))?,
    });
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let has = |name: &&str| {
        text.lines().any(|line| {
            line.split_once('=')
                .is_some_and(|(known, _)| known.trim() == *name)
        })
    };
    let (kept, missing): (Vec<_>, Vec<_>) = NAMES.into_iter().partition(has);
    for name in &missing {
        text.push_str(&format!("{name}={}\n", *Zeroizing::new(random()?)));
    }
    replace(file, text.as_bytes()).map_err(|error| failed("write", error))?;
    for name in &kept {
        say(format_args!("{name} is there already and stays."));
    }
    for name in &missing {
        say(format_args!("{name} is new."));
    }
    say(format_args!(
        "`{}` can be read by you alone. Keep a copy of SECRETS_KEY elsewhere: without it no secret can be opened again.",
        file.display()
    ));
    Ok(())
}

/// Replaces a file as a whole by one that only its owner can read.
fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let aside = PathBuf::from(format!("{}.new", file.display()));
    fs::remove_file(&aside).or_else(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            Ok(())
        } else {
            Err(error)
        }
    })?;
    let mut out = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&aside)?;
    out.write_all(bytes)
        .and_then(|()| out.sync_all())
        .and_then(|()| fs::rename(&aside, file))
}
