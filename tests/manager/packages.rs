//! What namespaces ask of the index.

use std::fs;

use serde_json::json;

use crate::pair::Pair;

#[test]
fn packages_are_installed_while_the_core_is_away() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    pair.done("create_namespace", json!({"name": "demo"}));
    let file = pair.tools().join("demo/requirements.txt");
    let added = pair.done(
        "add_requirement",
        json!({"namespace": "demo", "package": "IniConfig == 2.0.0"}),
    );
    assert_eq!(
        added,
        json!({"added": true, "namespace": "demo", "package": "iniconfig==2.0.0"})
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "iniconfig==2.0.0\n");
    let environments = || {
        fs::read_dir(pair.data().join("venvs/demo"))
            .unwrap()
            .flatten()
            .filter(|one| one.path().join(".ok").exists())
            .count()
    };
    assert_eq!(environments(), 1);
    let told = pair.refused(
        "add_requirement",
        json!({"namespace": "demo", "package": "tooldock-has-no-such-package"}),
    );
    assert!(
        told.contains("tooldock-has-no-such-package") && told.ends_with("`requirements.txt` is as it was"),
        "{told}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "iniconfig==2.0.0\n");
    let installed = pair.done("install_requirements", json!({"namespace": "demo"}));
    assert_eq!(installed["packages"], json!(["iniconfig==2.0.0"]));
    assert_eq!(
        (
            environments(),
            pair.done("list_requirements", json!({"namespace": "demo"}))["packages"].clone()
        ),
        (1, json!(["iniconfig==2.0.0"]))
    );
    let removed = pair.done(
        "remove_requirement",
        json!({"namespace": "demo", "package": "iniconfig"}),
    );
    assert_eq!(removed["package"], "iniconfig==2.0.0");
    let told = pair.refused(
        "remove_requirement",
        json!({"namespace": "demo", "package": "iniconfig"}),
    );
    assert!(
        told.starts_with("`demo` asks for no package `iniconfig`"),
        "{told}"
    );
    fs::write(pair.tools().join("demo/requirements.lock"), "").unwrap();
    let told = pair.refused(
        "add_requirement",
        json!({"namespace": "demo", "package": "iniconfig"}),
    );
    assert!(told.starts_with("`requirements.lock` counts here"), "{told}");
}

#[test]
fn s69_only_packages_of_the_index_are_taken() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    pair.done("create_namespace", json!({"name": "demo"}));
    for package in [
        "",
        "-r /etc/passwd",
        "a @ https://x",
        "./a",
        "a\nb",
        "$HOME",
        "--index-url https://x",
        "a; import os",
        "ä",
    ] {
        let told = pair.refused(
            "add_requirement",
            json!({"namespace": "demo", "package": package}),
        );
        assert!(!told.is_empty(), "{package:?}");
        pair.refused("install_pip_packages", json!({"packages": [package]}));
    }
    assert!(!pair.tools().join("demo/requirements.txt").exists() && !pair.data().join("venvs/demo").exists());
}

#[test]
fn s73_packages_for_analysis_lie_where_nothing_runs_from() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    let done = pair.done("install_pip_packages", json!({"packages": ["iniconfig==2.0.0"]}));
    let folder = done["folder"].as_str().unwrap();
    assert!(
        folder.starts_with(&pair.data().join("venvs/_aside").display().to_string()),
        "{folder}"
    );
    let off = Pair::alone("http://127.0.0.1:9", &[("ALLOW_ANALYSIS_PACKAGES", "false")]);
    let told = off.refused("install_pip_packages", json!({"packages": ["iniconfig"]}));
    assert!(
        told.contains("ALLOW_ANALYSIS_PACKAGES") && !off.data().join("venvs").exists(),
        "{told}"
    );
}
