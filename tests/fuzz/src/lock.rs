//! Locks of namespaces: what is taken is packages, each with one version and hashes, and nothing else.

use tooldock_worker::disk::{Lock, RequirementError};

/// What is taken is in its normal form, and no installer sees anything else in it than pinned packages.
pub fn check(input: &[u8], planted: bool) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    match read(text, planted) {
        Ok(lock) => {
            assert_eq!(
                read(&lock.to_string(), planted).as_ref(),
                Ok(&lock),
                "another normal form"
            );
            lock.iter().for_each(check_package);
        }
        Err(told) => assert!(!told.contains(char::is_control), "{told:?}"),
    }
}

/// One line, as an installer gets it.
fn check_package(line: &str) {
    let made_of = |text: &str, more: &str| {
        text.chars()
            .all(|c| c.is_ascii_alphanumeric() || more.contains(c))
    };
    let (package, hashes) = line.split_once(" --hash=").unwrap_or((line, ""));
    let requirement = package.split(';').next().unwrap_or_default();
    let (name, version) = requirement.split_once("==").unwrap_or((requirement, "?"));
    assert!(
        name.starts_with(|c: char| c.is_ascii_alphanumeric()) && made_of(name, "-[],"),
        "`{line}` begins with no name"
    );
    assert!(made_of(version, ".!+"), "`{line}` has no version of its own");
    for hash in hashes.split(" --hash=") {
        let digits = hash.strip_prefix("sha256:").unwrap_or_default();
        assert!(
            digits.len() == 64 && made_of(digits, ""),
            "`{line}` has `{hash}` for a hash"
        );
    }
}

/// The bug: extras are written and not always read again. Any blank more or less in the seed that has some shows it.
fn read(text: &str, planted: bool) -> Result<Lock, String> {
    let lock: Lock = text
        .parse()
        .map_err(|error: RequirementError| error.to_string())?;
    if planted && text.len() % 2 == 1 && text.contains('[') {
        return Err("has extras".into());
    }
    Ok(lock)
}
