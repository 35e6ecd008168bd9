//! Which files are looked at, and in which order.

use super::Language;

/// What a file is to the analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Code that people wrote for others to run.
    Written,
    /// Code that a program wrote, which is looked at where nothing was written.
    Built,
    /// Code of packages that a project brings along, which is looked at where it declares no tool itself.
    Brought,
    /// Code that tools are not declared in: tests, examples, copies of other projects.
    Aside,
}

/// Folders of what a program wrote.
const BUILT: &[&str] = &["dist", "build", "out", "esm", "cjs", "bundle", "_esm", "_cjs"];
/// Folders of packages of others.
const BROUGHT: &[&str] = &["node_modules", "vendor", "third_party", "site-packages"];
/// Packages that tools are declared with; their own code declares none.
const LIBRARIES: &[&str] = &["fastmcp", "mcp-framework", "xmcp", "zod", "mcp"];
/// Folders that are no part of what runs.
const ASIDE: &[&str] = &[
    ".venv",
    "venv",
    "target",
    "test",
    "tests",
    "spec",
    "e2e",
    "testdata",
    "fixtures",
    "mocks",
    "examples",
    "example",
    "samples",
    "docs",
    "benchmarks",
    ".git",
    "evals",
    "testing",
];

/// Those of them that no tool is about.
const ALWAYS_ASIDE: &[&str] = &["__tests__", "__mocks__"];

/// Whether a package is one that tools are declared with.
pub(in super::super) fn is_library(name: &str) -> bool {
    LIBRARIES.contains(&name) || name.starts_with("@modelcontextprotocol/")
}

/// The package that the folders of a file belong to, where it was brought along: what stands behind the last folder of such.
fn brought(folders: &str) -> Option<String> {
    let parts: Vec<&str> = folders.split('/').collect();
    let place = parts.iter().rposition(|folder| BROUGHT.contains(folder))?;
    match parts[place + 1..] {
        [scope, name, ..] if scope.starts_with('@') => Some(format!("{scope}/{name}")),
        // As Go has it: a host, who owns it, and then its name.
        [host, _, name, ..] if host.contains('.') => Some(name.to_owned()),
        [name, ..] => Some(name.to_owned()),
        [] => None,
    }
}

/// The role of a file of source code.
pub(super) fn role(path: &str) -> Role {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    let is_test = name.contains(".test.")
        || name.contains(".spec.")
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem == "conftest";
    let within = |names: &[&str]| folders.split('/').any(|folder| names.contains(&folder));
    // Tools may be about tests.
    let own = folders
        .rsplit_once("tools/")
        .map_or(folders, |(before, _)| before);
    let is_aside = own.split('/').any(|folder| ASIDE.contains(&folder));
    match () {
        () if is_test || is_aside || within(ALWAYS_ASIDE) || name.contains(".config.") => Role::Aside,
        () if within(BROUGHT) => match brought(folders).is_some_and(|package| is_library(&package)) {
            true => Role::Aside,
            false => Role::Brought,
        },
        () if within(BUILT) || name.contains(".min.") => Role::Built,
        () => Role::Written,
    }
}

/// Files of source code with a role, those that speak of tools first.
pub(super) fn ordered<'a>(files: impl Iterator<Item = &'a str>, wanted: Role) -> Vec<(&'a str, Language)> {
    let known = files.filter_map(|path| Some((path, Language::of(path)?)));
    let mut all: Vec<_> = known.filter(|(path, _)| role(path) == wanted).collect();
    all.sort_by_key(|(path, _)| {
        (
            !path.to_ascii_lowercase().contains("tool"),
            path.matches('/').count(),
        )
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_told_by_paths() {
        for (path, expected) in [
            ("src/index.ts", Role::Written),
            ("node_modules/@acme/tools/dist/mcp/x.js", Role::Brought),
            ("node_modules/@acme/mcp/x.js", Role::Brought),
            ("site-packages/acme/mcp/tools.py", Role::Brought),
            ("site-packages/mcp/server.py", Role::Aside),
            (
                "node_modules/a/node_modules/@modelcontextprotocol/sdk/x.js",
                Role::Aside,
            ),
            ("package/dist/index.js", Role::Built),
            ("lib/x.min.js", Role::Built),
            ("server_test.go", Role::Aside),
            ("tests/test_x.py", Role::Aside),
            ("src/tools/tests/results.ts", Role::Written),
            ("src/tools/__tests__/results.ts", Role::Aside),
            ("tests/tools/x.py", Role::Aside),
            ("src/a.test.ts", Role::Aside),
            ("eslint.config.js", Role::Aside),
            ("node_modules/x/dist/i.js", Role::Brought),
            ("node_modules/@modelcontextprotocol/sdk/dist/i.js", Role::Aside),
            ("node_modules/x/test/i.js", Role::Aside),
        ] {
            assert_eq!(role(path), expected, "{path}");
        }
        let order = ordered(
            ["a/b/c.py", "z.py", "a/tools/x.py", "README.md"].into_iter(),
            Role::Written,
        );
        let paths: Vec<&str> = order.into_iter().map(|(path, _)| path).collect();
        assert_eq!(paths, ["a/tools/x.py", "z.py", "a/b/c.py"]);
    }
}
