//! No file over 200 code lines, unless `docs/DESIGN.md` gives the reason. Blank lines, comments, doc strings and
//! inline tests do not count, and files of tests are left alone.

use super::source::Source;

/// The most code lines a file may have.
const MOST_LINES: usize = 200;

/// The heading in `docs/DESIGN.md` below which the excused files stand.
const HEADING: &str = "Long files";

/// The paths that the section of long files names: the first code span of each list item.
pub(crate) fn excused(design: &str) -> Vec<String> {
    let heading = |line: &str| {
        line.starts_with('#')
            .then(|| line.trim_start_matches('#').trim().to_owned())
    };
    let section = design
        .lines()
        .skip_while(|line| heading(line).as_deref() != Some(HEADING))
        .skip(1);
    let items = section
        .take_while(|line| heading(line).is_none())
        .filter(|line| line.starts_with("- "));
    items
        .filter_map(|line| Some(line.split('`').nth(1)?.to_owned()))
        .collect()
}

/// A finding if the file is too long and nobody said why.
pub(crate) fn check(file: &Source, excused: &[String]) -> Option<String> {
    let lines = match file.extension() {
        "rs" => rust_lines(&file.text),
        "py" => python_lines(&file.text),
        _ => return None,
    };
    let fine = lines <= MOST_LINES || file.is_test() || excused.contains(&file.path);
    (!fine).then(|| {
        let path = &file.path;
        format!(
            "{path}: {lines} code lines, at most {MOST_LINES}: split it, or say why not in docs/DESIGN.md"
        )
    })
}

/// Code lines of a formatted Rust file: an inline test module ends with a brace in the first column.
fn rust_lines(text: &str) -> usize {
    let mut in_tests = false;
    let mut count = 0;
    for line in text.lines() {
        in_tests |= line.starts_with("#[cfg(test)]");
        let code = line.trim();
        count += usize::from(!in_tests && !code.is_empty() && !code.starts_with("//"));
        in_tests &= !(line.starts_with('}') || line.starts_with("mod ") && line.contains(';'));
    }
    count
}

/// Code lines of a Python file, without its doc strings.
fn python_lines(text: &str) -> usize {
    const QUOTES: &str = "\"\"\"";
    let mut in_string = false;
    let mut count = 0;
    for line in text.lines().map(str::trim) {
        let quotes = line.matches(QUOTES).count();
        let doc = in_string || line.starts_with(QUOTES);
        if doc {
            in_string ^= quotes % 2 == 1;
        }
        count += usize::from(!doc && !line.is_empty() && !line.starts_with('#'));
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, lines: usize) -> Source {
        Source {
            path: path.into(),
            text: "let x = 1;\n".repeat(lines),
        }
    }

    #[test]
    fn a_long_file_needs_a_reason() {
        let design = "# Design\n- `other.rs`: no\n## Long files\n\n- `a/long.rs`: one table\n\n## Next\n- `late.rs`: no\n";
        let excused = excused(design);
        assert_eq!(excused, ["a/long.rs"]);
        assert_eq!(check(&source("a/long.rs", 201), &excused), None);
        assert_eq!(check(&source("a/fine.rs", 200), &excused), None);
        assert_eq!(check(&source("a/tests/long.rs", 201), &excused), None);
        let finding = check(&source("other.rs", 201), &excused).unwrap();
        assert!(finding.starts_with("other.rs: 201 code lines"), "{finding}");
    }

    #[test]
    fn only_code_lines_count() {
        let rust = "//! What.\n\nuse a;\n// why\nfn b() {}\n\n#[cfg(test)]\nmod tests {\n    fn c() {}\n}\nfn d() {}\n";
        assert_eq!(rust_lines(rust), 3);
        assert_eq!(rust_lines("#[cfg(test)]\nmod tests;\nfn a() {}\n"), 1);
        let python = "\"\"\"What.\n\nMore.\n\"\"\"\nimport a\n# why\ndef b():\n    \"\"\"One line.\"\"\"\n    return 1\n";
        assert_eq!(python_lines(python), 3);
    }
}
