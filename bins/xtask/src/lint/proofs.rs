//! The proofs that `docs/protocol.md` names are there: each is a test, or a scenario that passes.

use std::collections::BTreeSet;

use super::source::Source;

/// The page, and the lists of the scenarios that pass.
const PAGE: &str = "docs/protocol.md";
const LISTS: [&str; 2] = ["tests/conformance/passing.txt", "tests/conformance/connect.txt"];

/// The heading of the column that names proofs.
const COLUMN: &str = "Verified by";

/// A finding for each name that is neither a test nor a scenario, and for each row that names none.
pub(crate) fn check(files: &[Source]) -> Vec<String> {
    let text = |path: &str| {
        files
            .iter()
            .find(|file| file.path == path)
            .map(|file| &*file.text)
    };
    let scenarios = LISTS.into_iter().filter_map(text).flat_map(str::lines);
    let mut known: BTreeSet<&str> = scenarios.filter_map(|line| line.rsplit(' ').next()).collect();
    let code = files.iter().filter(|file| file.extension() == "rs");
    known.extend(code.flat_map(|file| tests(&file.text)));
    let lines = text(PAGE).unwrap_or_default().lines().enumerate();
    let mut proves = false;
    let mut findings = Vec::new();
    for (number, line) in lines {
        let cell = line
            .trim_end_matches(['|', ' '])
            .rsplit('|')
            .next()
            .unwrap_or_default()
            .trim();
        proves = line.starts_with('|') && (proves || cell == COLUMN);
        if !proves || cell == COLUMN || cell.starts_with("---") {
            continue;
        }
        let names: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        let wrong = names.iter().filter(|name| !known.contains(**name));
        findings.extend(wrong.map(|name| {
            format!(
                "{PAGE}:{}: `{name}` is neither a test nor a scenario that passes",
                number + 1
            )
        }));
        if names.is_empty() {
            findings.push(format!("{PAGE}:{}: the row names no proof", number + 1));
        }
    }
    findings
}

/// The names of the tests in a file of Rust.
fn tests(text: &str) -> impl Iterator<Item = &str> {
    let mut marked = false;
    text.lines().map(str::trim_start).filter_map(move |line| {
        marked |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
        let name = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ")?;
        std::mem::take(&mut marked).then(|| name.split('(').next().unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_no_proof_is_found() {
        let source = |path: &str, text: &str| Source {
            path: path.into(),
            text: text.into(),
        };
        let page = "| What | Verified by |\n|---|---|\n| a | `is_there`, `is-listed` |\n| b | `helper` |\n| c | soon |\n\n`free`\n";
        let files = [
            source(PAGE, page),
            source(LISTS[0], "# scenarios\n0.1 2025 is-listed\n"),
            source(
                "a/tests.rs",
                "fn helper() {}\n#[tokio::test(a = b)]\n#[allow(x)]\nasync fn is_there() {\n",
            ),
        ];
        let findings = check(&files);
        assert_eq!(findings.len(), 2, "{findings:?}");
        assert!(
            findings[0].contains(":4: `helper`") && findings[1].contains(":5: the row"),
            "{findings:?}"
        );
    }
}
