//! Names of files in a repository or an archive.

/// Bytes that a path may have.
const LONGEST: usize = 1024;
/// Folders that a path may lead through.
const DEEPEST: usize = 40;

/// The name of a file when it is one that a person can read and write: relative, without `.` and `..`, without control characters.
pub(in crate::manager) fn plain(bytes: &[u8]) -> Option<&str> {
    let path = std::str::from_utf8(bytes).ok()?;
    let segments = path.split('/');
    let fits = path.len() <= LONGEST && segments.clone().count() <= DEEPEST;
    let is_segment = |segment: &str| !matches!(segment, "" | "." | "..");
    let is_visible = |c: char| !c.is_control() && c != '\\';
    (fits && segments.clone().all(is_segment) && path.chars().all(is_visible)).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn s67_odd_names_are_no_names() {
        for path in [
            "a",
            "src/index.ts",
            "größe/ü.py",
            ".github/x.yml",
            "a b.txt",
            "..a/b..",
        ] {
            assert_eq!(plain(path.as_bytes()), Some(path));
        }
        let long = "a/".repeat(41) + "b";
        for path in [
            "",
            "/etc/passwd",
            "..",
            "a/../b",
            "./a",
            "a//b",
            "a/",
            "a\nb",
            "a\0b",
            "..\\a",
            "C:\\x",
            &long,
            &"a".repeat(1025),
        ] {
            assert_eq!(plain(path.as_bytes()), None, "{path}");
        }
        assert_eq!(plain(b"a\xff"), None);
    }
}
