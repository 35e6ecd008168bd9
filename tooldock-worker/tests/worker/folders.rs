//! What counts as a namespace.

use std::os::unix::fs::symlink;

use tooldock_worker::ToolsFolder;

use crate::shop::Tools;

const TOOL: &str = "from tooldock import tool\n";

fn why<'a>(scan: &'a tooldock_worker::Scan, name: &str) -> &'a str {
    &scan
        .rejected
        .iter()
        .find(|rejected| rejected.name == name)
        .unwrap_or_else(|| panic!("`{name}` was taken"))
        .why
}

/// The rule for names holds for folders.
#[test]
fn s54_folders_with_bad_names_are_rejected_with_advice() {
    let bad = [
        "GitHub",
        "a b",
        "ä",
        "mcp",
        "_system",
        "-x",
        "a.b",
        "ａ",
        "x,y",
        &"a".repeat(64),
    ]
    .map(str::to_owned);
    let files: Vec<String> = bad.iter().map(|name| format!("{name}/t.py")).collect();
    let mut files: Vec<(&str, &str)> = files.iter().map(|path| (path.as_str(), TOOL)).collect();
    files.extend([
        ("good/t.py", TOOL),
        (".hidden/t.py", TOOL),
        ("__pycache__/t.py", TOOL),
        ("empty/_x.py", TOOL),
        ("loose.py", TOOL),
        ("README.md", ""),
    ]);
    let scan = Tools::with(&files).scan();
    assert_eq!(
        scan.namespaces
            .iter()
            .map(|found| found.name.as_str())
            .collect::<Vec<_>>(),
        ["good"]
    );
    for name in &bad {
        assert!(
            why(&scan, name).ends_with("rename the folder"),
            "{name}: {}",
            why(&scan, name)
        );
    }
    assert!(why(&scan, "empty").contains("no tool file"));
    assert!(why(&scan, "loose.py").contains("subfolder"));
    assert_eq!(scan.rejected.len(), bad.len() + 2);
}

/// Links and pipes are neither followed nor waited for. The runtime leaves such tool files out; the digest tells them apart.
#[test]
fn s56_links_and_pipes_are_not_followed() {
    let tools = Tools::with(&[
        ("a/t.py", TOOL),
        ("b/t.py", TOOL),
        ("c/t.py", TOOL),
        ("d/t.py", TOOL),
        ("e/t.py", TOOL),
        ("secret.txt", "x"),
    ]);
    symlink("/etc", tools.path("linked")).unwrap();
    symlink(tools.path("secret.txt"), tools.path("a/x.py")).unwrap();
    std::fs::hard_link(tools.path("b/t.py"), tools.path("secret.py")).unwrap();
    symlink("/proc/self/environ", tools.path("c/tooldock.yaml")).unwrap();
    let pipe = std::process::Command::new("mkfifo")
        .arg(tools.path("d/x.py"))
        .status()
        .unwrap();
    assert!(pipe.success());
    symlink(tools.path("a"), tools.path("e/inner")).unwrap();
    let scan = tools.scan();
    assert!(why(&scan, "linked").contains("link"));
    let problem = |name: &str| {
        scan.namespaces
            .iter()
            .find(|found| found.name.as_str() == name)
            .unwrap()
            .problem
            .clone()
    };
    let told = problem("c").unwrap();
    assert!(
        told.contains("`tooldock.yaml`") && told.contains("regular file"),
        "{told}"
    );
    for name in ["a", "b", "d"] {
        assert_eq!(problem(name), None, "one file stops no namespace");
    }
    assert_eq!(problem("e"), None, "a link to a folder is just not entered");
    let digest = |scan: &tooldock_worker::Scan, name: &str| {
        let found = scan.namespaces.iter().find(|found| found.name.as_str() == name);
        found.unwrap().digest.clone()
    };
    let before = digest(&scan, "a");
    std::fs::remove_file(tools.path("a/x.py")).unwrap();
    tools.write("a/x.py", "");
    assert_ne!(digest(&tools.scan(), "a"), before);
}

#[test]
fn the_digest_follows_contents_and_nothing_else() {
    let tools = Tools::with(&[("a/t.py", TOOL), ("a/inner/x.py", "x = 1"), ("a/data.txt", "1")]);
    let first = tools.only().digest;
    tools.write("a/t.py", TOOL);
    tools.write("a/data.txt", "2");
    tools.write("a/__pycache__/t.py", "x");
    assert_eq!(tools.only().digest, first, "times, data and caches do not count");
    let mut seen = vec![first];
    for (file, text) in [
        ("a/inner/x.py", "x = 2"),
        ("a/tooldock.yaml", "version: '1'"),
        ("a/requirements.txt", "httpx"),
        ("a/_y.py", ""),
    ] {
        tools.write(file, text);
        let digest = tools.only().digest;
        assert!(!seen.contains(&digest), "{file} does not count");
        seen.push(digest);
    }
}

#[test]
fn a_folder_to_work_in_is_one_namespace_when_it_holds_tools() {
    let tools = Tools::with(&[
        ("My Tools!/t.py", TOOL),
        ("My Tools!/parts/__init__.py", ""),
        ("My Tools!/parts/t.py", TOOL),
        ("My Tools!/data/x.csv", ""),
        ("My Tools!/__pycache__/t.py", ""),
        ("mcp/t.py", TOOL),
    ]);
    let scan = ToolsFolder::dev(tools.path("My Tools!")).unwrap().scan().unwrap();
    assert_eq!(scan.namespaces.len(), 1);
    assert_eq!(scan.namespaces[0].name.as_str(), "my-tools");
    let reserved = ToolsFolder::dev(tools.path("mcp")).unwrap().scan().unwrap();
    assert_eq!(reserved.namespaces[0].name.as_str(), "local");
    let parent = ToolsFolder::dev(tools.path("")).unwrap().scan().unwrap();
    assert_eq!((parent.namespaces.len(), parent.rejected.len()), (0, 2));
    assert!(ToolsFolder::dev(tools.path("nowhere")).is_err());
}

/// A loose file beside namespaces costs itself, not them.
#[test]
fn a_folder_to_work_in_is_many_namespaces_when_its_subfolders_hold_tools() {
    let tools = Tools::with(&[("a/t.py", TOOL), ("b/t.py", TOOL), ("stray.py", TOOL)]);
    let scan = ToolsFolder::dev(tools.path("")).unwrap().scan().unwrap();
    let names: Vec<_> = scan.namespaces.iter().map(|found| found.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(scan.rejected.len(), 1);
    assert!(why(&scan, "stray.py").contains("move it into one"));
}

/// A bad file stops its own namespace only.
#[test]
fn s70_a_bad_file_stops_its_own_namespace_only() {
    let tools = Tools::with(&[
        ("a/t.py", TOOL),
        ("a/requirements.txt", "httpx\n-r /etc/passwd\n"),
        ("b/t.py", TOOL),
        ("c/t.py", TOOL),
        ("c/tooldock.yaml", "uid: 0\n"),
    ]);
    std::fs::write(tools.path("b/_x.py"), b"\xff").unwrap();
    let scan = tools.scan();
    let problems: Vec<_> = scan
        .namespaces
        .iter()
        .map(|found| found.problem.as_deref().unwrap_or_default())
        .collect();
    assert!(
        problems[0].starts_with("`requirements.txt`: line 2: `-r /etc/passwd` is an option"),
        "{problems:?}"
    );
    assert_eq!(problems[1], "");
    assert!(
        problems[2].starts_with("`tooldock.yaml`: line 1: key `uid`"),
        "{problems:?}"
    );
}
