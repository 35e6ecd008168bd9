//! Inputs from files instead of a fuzzer, and the choice of the planted bug.

use std::{
    fs, io, panic,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::OnceLock,
};

/// Checks each file that the command line names, and each file in a folder that it names.
#[expect(clippy::print_stderr, reason = "a program for the terminal")]
pub fn run(check: fn(&[u8], bool)) -> ExitCode {
    let named = std::env::args_os().skip(1).map(PathBuf::from);
    let checked = named
        .map(|path| replay(&path, check, is_planted()))
        .sum::<io::Result<usize>>();
    match checked {
        Ok(0) => {
            eprintln!("name files or folders of inputs; there is none");
            ExitCode::FAILURE
        }
        Ok(inputs) => {
            eprintln!("{inputs} inputs hold");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Checks a file, or each file of a folder, and tells how many there were.
///
/// # Errors
/// When something cannot be read, or does not hold.
pub fn replay(path: &Path, check: fn(&[u8], bool), planted: bool) -> io::Result<usize> {
    if !path.is_dir() {
        let input = fs::read(path)?;
        let held = panic::catch_unwind(|| check(&input, planted));
        return held
            .map(|()| 1)
            .map_err(|_| io::Error::other(format!("`{}` does not hold", path.display())));
    }
    fs::read_dir(path)?
        .map(|entry| replay(&entry?.path(), check, planted))
        .sum()
}

/// Whether the bug of the target is to be found: `TOOLDOCK_FUZZ_PLANTED` is set.
#[expect(
    clippy::disallowed_methods,
    reason = "a fuzzer leaves no other way to tell its target anything"
)]
pub fn is_planted() -> bool {
    static PLANTED: OnceLock<bool> = OnceLock::new();
    *PLANTED.get_or_init(|| std::env::var_os("TOOLDOCK_FUZZ_PLANTED").is_some())
}
