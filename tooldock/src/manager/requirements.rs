//! `requirements.txt` as the tools change it: line by line, so that comments stay.

use std::{fmt, str::FromStr};

use tooldock_engine::error::Result;
use tooldock_worker::Requirements;

use super::{refusal::refuse, volume::Place};

/// The name of the file.
const FILE: &str = "requirements.txt";
/// Files that count alone where they are.
const PINNED: [&str; 2] = ["uv.lock", "requirements.lock"];

/// One package, as the strict grammar of namespaces takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Requirement(String);

impl Requirement {
    /// The package without extras, versions and markers.
    pub(super) fn name(&self) -> &str {
        let end = self.0.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        &self.0[..end.unwrap_or(self.0.len())]
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Requirement {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let one = "write one package, for example `httpx>=0.28`";
        if text.contains(['\n', '\r']) {
            return Err(format!("`{}` holds a line break; {one}", text.escape_debug()));
        }
        let read: Requirements = text
            .parse()
            .map_err(|error: tooldock_worker::disk::RequirementError| error.to_string())?;
        let line = read.iter().next().map(|line| Self(line.to_owned()));
        line.ok_or_else(|| format!("`{}` names no package; {one}", text.escape_debug()))
    }
}

/// The lines of a namespace's file.
#[derive(Debug)]
pub(super) struct RequirementsFile {
    lines: Vec<String>,
    /// The file that counts in its place.
    pinned: Option<&'static str>,
}

impl RequirementsFile {
    /// Reads that of a namespace; one that is not there is empty.
    pub(super) fn read(place: &Place) -> Result<Self> {
        let text = place.text(FILE)?.unwrap_or_default();
        let mut pinned = None;
        for file in PINNED {
            if place.has(file)? {
                pinned = Some(file);
            }
        }
        Ok(Self {
            lines: text.lines().map(str::to_owned).collect(),
            pinned,
        })
    }

    /// The packages it names, in normal form.
    pub(super) fn packages(&self) -> Result<Vec<String>> {
        let read: Result<Requirements, _> = self.lines.join("\n").parse();
        let read = read.map_err(|error| refuse(format!("`{FILE}`: {error}")))?;
        Ok(read.iter().map(str::to_owned).collect())
    }

    /// Lets it ask `to` of the package that `of` names, and gives what it asked before.
    pub(super) fn set(&mut self, of: &Requirement, to: Option<Requirement>) -> Result<Option<Requirement>> {
        if let Some(file) = self.pinned {
            return Err(refuse(format!(
                "`{file}` counts here in place of `{FILE}`; write the packages there, or delete it first"
            )));
        }
        let read = |line: &String| line.parse::<Requirement>().ok();
        let at = self
            .lines
            .iter()
            .position(|line| read(line).is_some_and(|found| found.name() == of.name()));
        let before = at.and_then(|at| read(&self.lines[at]));
        match (at, to) {
            (Some(at), Some(to)) => self.lines[at] = to.to_string(),
            (Some(at), None) => drop(self.lines.remove(at)),
            (None, Some(to)) => self.lines.push(to.to_string()),
            (None, None) => {}
        }
        Ok(before)
    }

    /// Writes it. The caller holds the lock of the volume.
    pub(super) fn write(&self, place: &Place) -> Result<()> {
        let text: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        place.write(FILE, &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_replaced_and_comments_stay() {
        let mut file = RequirementsFile {
            lines: ["# web", "HTTPX >= 0.27", "rich"].map(str::to_owned).to_vec(),
            pinned: None,
        };
        let new: Requirement = "httpx>=0.28".parse().unwrap();
        let before = file.set(&new, Some(new.clone())).unwrap().unwrap();
        assert_eq!(before.to_string(), "httpx>=0.27");
        assert_eq!(file.lines, ["# web", "httpx>=0.28", "rich"]);
        assert!(file.set(&"nothing".parse().unwrap(), None).unwrap().is_none());
        assert_eq!(file.packages().unwrap(), ["httpx>=0.28", "rich"]);
    }

    #[test]
    fn s69_one_package_and_nothing_else() {
        for bad in [
            "",
            "# no",
            "a\nb",
            "a\rb",
            "-r x",
            "a @ https://x",
            "./a",
            "a; $HOME",
            "ä",
            "a\\",
            "a b",
            "--index-url=x",
        ] {
            assert!(bad.parse::<Requirement>().is_err(), "{bad:?}");
        }
        let long: Requirement = "Foo_Bar[x] >=1, <2; python_version < '3.13'".parse().unwrap();
        assert_eq!(long.name(), "foo-bar");
    }
}
