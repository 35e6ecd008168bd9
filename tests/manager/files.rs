//! Tool files and their folders.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::pair::Pair;

fn code(text: &str) -> String {
    format!(
        "from tooldock import tool\n\n@tool\ndef say() -> str:\n    \"\"\"Say it.\"\"\"\n    return \"{text}\"\n"
    )
}

#[test]
fn a_file_is_written_read_renamed_and_deleted() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    let made = pair.done("create_namespace", json!({"name": "demo"}));
    let path = pair.tools().join("demo");
    assert_eq!(made, json!({"created": true, "path": path.display().to_string()}));
    assert!(path.is_dir());
    let told = pair.refused("create_namespace", json!({"name": "demo"}));
    assert_eq!(
        told,
        format!(
            "the namespace `demo` exists already at `{}`; use it, or choose another name",
            path.display()
        )
    );
    let written = pair.done(
        "write_tool",
        json!({"namespace": "demo", "filename": "a.py", "code": code("one")}),
    );
    assert_eq!(
        (&written["written"], &written["tools_found"]),
        (&json!(true), &json!(["say"]))
    );
    let read = pair.done(
        "get_tool_source",
        json!({"namespace": "demo", "filename": "a.py"}),
    );
    assert_eq!(read["source"], code("one"));
    let lines = pair.done("list_namespaces", json!({}));
    assert_eq!(
        lines["result"],
        json!([{"name": "demo", "tool_files": 1, "has_requirements": false, "secrets_status": "no_secrets_needed"}])
    );
    let listed = pair.done("list_tools", json!({"namespace": "demo"}));
    assert_eq!(
        listed["result"],
        json!([{"name": "say", "description": "Say it.", "filename": "a.py", "served": false}])
    );
    pair.done(
        "write_tool",
        json!({"namespace": "demo", "filename": "b.py", "code": code("two")}),
    );
    let taken = pair.refused(
        "rename_tool_file",
        json!({"namespace": "demo", "filename": "a.py", "new_filename": "b.py"}),
    );
    assert_eq!(
        taken,
        "`demo` has a file `b.py` already; delete it first, or choose another name"
    );
    pair.done(
        "rename_tool_file",
        json!({"namespace": "demo", "filename": "a.py", "new_filename": "c.py"}),
    );
    assert_eq!(fs::read_to_string(path.join("c.py")).unwrap(), code("one"));
    pair.done("delete_tool", json!({"namespace": "demo", "filename": "c.py"}));
    let gone = pair.refused("delete_tool", json!({"namespace": "demo", "filename": "c.py"}));
    assert_eq!(
        gone,
        "there is no file `c.py` in `demo`; `list_tools` shows the files there are"
    );
    pair.done("delete_namespace", json!({"name": "demo"}));
    assert!(!path.exists());
    let gone = pair.refused("delete_namespace", json!({"name": "demo"}));
    assert!(gone.starts_with("there is no namespace `demo`"), "{gone}");
    let left: Vec<_> = fs::read_dir(pair.tools())
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(left, [".lock"]);
}

#[test]
fn s56_s58_links_in_a_namespace_lead_nowhere() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    pair.done("create_namespace", json!({"name": "demo"}));
    let (demo, outside) = (pair.tools().join("demo"), tempfile::tempdir().unwrap());
    let kept = outside.path().join("kept.py");
    fs::write(&kept, "kept").unwrap();
    symlink(&kept, demo.join("link.py")).unwrap();
    let twice = outside.path().join("twice.py");
    fs::write(&twice, "kept").unwrap();
    fs::hard_link(&twice, demo.join("second.py")).unwrap();
    symlink(outside.path(), pair.tools().join("whole")).unwrap();
    for file in ["link.py", "second.py"] {
        let told = pair.refused("get_tool_source", json!({"namespace": "demo", "filename": file}));
        assert!(
            told.contains("is a link, a pipe or a file with a second name"),
            "{told}"
        );
        pair.done(
            "write_tool",
            json!({"namespace": "demo", "filename": file, "code": code("new")}),
        );
        assert_eq!(fs::read_to_string(&kept).unwrap(), "kept");
    }
    for tool in [
        "list_tools",
        "list_requirements",
        "install_requirements",
        "check_secrets",
    ] {
        pair.refused(tool, json!({"namespace": "whole"}));
    }
    pair.refused(
        "write_tool",
        json!({"namespace": "whole", "filename": "kept.py", "code": code("new")}),
    );
    pair.refused("delete_namespace", json!({"name": "whole"}));
    symlink(outside.path(), demo.join("folder")).unwrap();
    pair.done("delete_namespace", json!({"name": "demo"}));
    assert_eq!(fs::read_to_string(&kept).unwrap(), "kept");
}

#[test]
fn s57_a_path_that_is_swapped_all_the_time_gives_no_way_out() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    pair.done("create_namespace", json!({"name": "demo"}));
    let (file, outside) = (pair.tools().join("demo/a.py"), tempfile::tempdir().unwrap());
    let kept = outside.path().join("kept.py");
    fs::write(&kept, "not for you").unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let aside = file.with_extension("aside");
            while !stop.load(Ordering::Relaxed) {
                symlink(&kept, &aside).ok();
                fs::rename(&aside, &file).ok();
                fs::write(&aside, code("mine")).ok();
                fs::rename(&aside, &file).ok();
            }
        });
        for _ in 0..150 {
            let read = pair.call(
                "get_tool_source",
                json!({"namespace": "demo", "filename": "a.py"}),
            );
            assert!(!read.text.contains("not for you"), "{read:?}");
            pair.call(
                "write_tool",
                json!({"namespace": "demo", "filename": "a.py", "code": code("ours")}),
            );
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(fs::read_to_string(&kept).unwrap(), "not for you");
}

#[test]
fn s59_quotas_are_told_before_anything_is_written() {
    let quotas = [
        ("TOOL_FILE_BYTES", "1024"),
        ("NAMESPACE_FILES", "2"),
        ("MAX_NAMESPACES", "2"),
    ];
    let pair = Pair::alone("http://127.0.0.1:9", &quotas);
    for name in ["a", "b"] {
        pair.done("create_namespace", json!({"name": name}));
    }
    let told = pair.refused("create_namespace", json!({"name": "c"}));
    assert!(
        told.contains("MAX_NAMESPACES") && !pair.tools().join("c").exists(),
        "{told}"
    );
    let write = |file: &str, code: String| json!({"namespace": "a", "filename": file, "code": code});
    let fill = |bytes: usize| format!("{}# {}", code("x"), "x".repeat(bytes - code("x").len() - 2));
    pair.done("write_tool", write("one.py", fill(1024)));
    let told = pair.refused("write_tool", write("two.py", fill(1025)));
    assert!(
        told.contains("TOOL_FILE_BYTES") && !pair.tools().join("a/two.py").exists(),
        "{told}"
    );
    pair.done("write_tool", write("two.py", code("2")));
    let told = pair.refused("write_tool", write("three.py", code("3")));
    assert!(
        told.contains("NAMESPACE_FILES") && !pair.tools().join("a/three.py").exists(),
        "{told}"
    );
    pair.done("write_tool", write("two.py", code("again")));
}

#[test]
fn s60_a_manifest_that_is_a_bomb_costs_its_namespace_only() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    pair.done("create_namespace", json!({"name": "demo"}));
    let manifest = pair.tools().join("demo/tooldock.yaml");
    for text in [
        "a: &a [x]\nb: *a\n".to_owned(),
        "[".repeat(20_000),
        "secrets: !!python/name:os.system\n".to_owned(),
    ] {
        fs::write(&manifest, &text).unwrap();
        let told = pair.refused("check_secrets", json!({"namespace": "demo"}));
        assert!(
            told.contains("tooldock.yaml") && !told.contains("os.system"),
            "{told}"
        );
        let line = pair.done("list_namespaces", json!({}))["result"][0].clone();
        assert!(
            line["problem"].as_str().unwrap().contains("tooldock.yaml"),
            "{line}"
        );
    }
}

#[test]
fn r24_two_managers_lose_no_update() {
    let first = Pair::start();
    let second = first.second();
    first.done("create_namespace", json!({"name": "demo"}));
    let packages = ["iniconfig", "attrs", "idna", "pluggy", "packaging", "certifi"];
    let file = first.tools().join("demo/requirements.txt");
    std::thread::scope(|scope| {
        for (at, package) in packages.iter().enumerate() {
            let pair = if at % 2 == 0 { &first } else { &second };
            scope.spawn(move || {
                pair.done(
                    "add_requirement",
                    json!({"namespace": "demo", "package": package}),
                )
            });
        }
    });
    let mut lines: Vec<String> = fs::read_to_string(&file)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    lines.sort();
    let mut all = packages;
    all.sort_unstable();
    assert_eq!(lines, all);
}
