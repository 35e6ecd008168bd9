//! The command line.

use std::{ffi::OsString, path::PathBuf};

/// How the program is used.
const USAGE: &str = "usage: tooldock-bench PROGRAMS FOLDER [--python FILE] [--against FILE] [--quick] [ROW…]
  PROGRAMS  folder with tooldock-core and the bench programs
  FOLDER    where data and `latest.json` go
  --python  interpreter of the bare echo (python3)
  --against an earlier `latest.json` to compare with
  --quick   one short round, and no bar is judged
  ROW       only rows whose name contains one of these; then no bar is judged";

/// What is to be done.
#[derive(Debug)]
pub(crate) struct Options {
    /// Where the programs are.
    pub(crate) programs: PathBuf,
    /// Where data and results go.
    pub(crate) folder: PathBuf,
    /// The sources of this package, for its Python files.
    pub(crate) sources: PathBuf,
    /// The interpreter of the bare echo.
    pub(crate) python: OsString,
    /// An earlier result.
    pub(crate) against: Option<PathBuf>,
    /// One short round.
    pub(crate) quick: bool,
    /// Parts of the names of the rows that are wanted; all when empty.
    pub(crate) rows: Vec<String>,
}

impl Options {
    /// Reads the arguments, without the name of the program.
    pub(crate) fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, String> {
        let mut arguments = arguments.into_iter();
        let mut folder = || arguments.next().map(PathBuf::from).ok_or(USAGE);
        let mut options = Self {
            programs: folder()?,
            folder: folder()?,
            sources: PathBuf::from(env!("CARGO_MANIFEST_DIR")),
            python: "python3".into(),
            against: None,
            quick: false,
            rows: Vec::new(),
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(USAGE);
            match argument.to_str() {
                Some("--python") => options.python = value()?,
                Some("--against") => options.against = Some(value()?.into()),
                Some("--quick") => options.quick = true,
                Some(row) if !row.starts_with('-') => options.rows.push(row.to_owned()),
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(options)
    }

    /// Whether a row is wanted.
    pub(crate) fn wants(&self, row: &str) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|part| row.contains(part.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Options, String> {
        Options::read(words.iter().map(OsString::from))
    }

    #[test]
    fn options_stand_in_any_order_behind_the_folders() {
        let options = read(&["bin", "out", "echo", "--against", "old.json", "--quick"]).unwrap();
        assert_eq!(options.against, Some("old.json".into()));
        assert!(options.quick && options.wants("axum echo") && !options.wants("list"));
        for wrong in [
            &["bin"][..],
            &["bin", "out", "--against"],
            &["bin", "out", "--what"],
        ] {
            assert!(read(wrong).unwrap_err().starts_with("usage:"), "{wrong:?}");
        }
    }
}
