//! The file of names and states: safe to read, and true to the values.

use std::fs;

use tooldock_secrets::Status;

use crate::shop::{KEY, Shop, name, scope, set, states};

/// It shows names and states, and nothing of a value.
#[test]
fn s100_names_and_states_only() {
    let shop = Shop::new();
    set(&shop.store(), "global", "GITHUB_TOKEN", "ghp-canary-1");
    set(&shop.store(), "on", "BOT_TOKEN", "xoxb-canary-2");
    shop.store()
        .prepare(scope("slack"), name("OPENAI_API_KEY"))
        .unwrap();
    let expected = "\
# Names and states only; values are in secrets.enc. Written by `tooldock-manager secrets`.
enc_generation: 2
global:
  GITHUB_TOKEN:
    status: set
namespaces:
  \"on\":
    BOT_TOKEN:
      status: set
  slack:
    OPENAI_API_KEY:
      status: placeholder
";
    assert_eq!(shop.read("secrets.meta.yaml"), expected);
    let contents = shop.store().read().unwrap();
    assert_eq!(
        states(&contents),
        [
            "global GITHUB_TOKEN set",
            "on BOT_TOKEN set",
            "slack OPENAI_API_KEY placeholder"
        ]
    );
    let check = contents.check("slack", ["GITHUB_TOKEN", "OPENAI_API_KEY", "BOT_TOKEN"]);
    assert_eq!(
        format!("{check:?}"),
        "Check { satisfied: [\"GITHUB_TOKEN\"], missing: [\"BOT_TOKEN\"], placeholders: [\"OPENAI_API_KEY\"] }"
    );
}

/// A crash between the two files: the values win, placeholders stay, and what is gone is told apart from what is lost.
#[test]
fn s120_the_values_win() {
    let shop = Shop::new();
    set(&shop.store(), "global", "KEPT", "x");
    set(&shop.store(), "global", "REMOVED", "x");
    shop.store().prepare(scope("global"), name("WAITING")).unwrap();
    let old = shop.read("secrets.meta.yaml");
    shop.store()
        .change(|contents| {
            contents.unset(&scope("global"), &name("REMOVED"));
            contents.set(scope("slack"), name("NEW"), crate::shop::value("x"));
            Ok(())
        })
        .unwrap();
    let new = shop.read("secrets.meta.yaml");
    // As if the second file had not been written any more.
    fs::write(shop.path("secrets.meta.yaml"), &old).unwrap();
    let expected = ["global KEPT set", "global WAITING placeholder", "slack NEW set"];
    assert_eq!(states(&shop.store().read().unwrap()), expected);
    let store = shop.store();
    assert!(store.lock().unwrap().repair().unwrap());
    assert_eq!(shop.read("secrets.meta.yaml"), new);
    assert!(!store.lock().unwrap().repair().unwrap());

    // Marked as set in the very generation of the values, and not among them: it was lost, not removed.
    let lost = new.replace("  KEPT:", "  GONE:\n    status: set\n  KEPT:");
    fs::write(shop.path("secrets.meta.yaml"), lost).unwrap();
    let contents = shop.store().read().unwrap();
    assert_eq!(states(&contents)[0], "global GONE missing");
    assert_eq!(contents.status("slack", "GONE"), Status::Missing);
}

/// A file that somebody broke by hand is reported, and costs the placeholders only.
#[test]
fn s124_a_broken_file_of_names_costs_no_value() {
    let shop = Shop::new();
    set(&shop.store(), "global", "A", "x");
    for broken in [
        "global: [",
        "global:\n  A: {status: canary-3}",
        "more: 1",
        "global: {}\nglobal: {}",
        "a: &b c",
        "\u{0}",
    ] {
        fs::write(shop.path("secrets.meta.yaml"), broken).unwrap();
        let contents = shop.store().read().unwrap();
        let mistake = contents.meta_mistake().unwrap().to_string();
        assert!(
            mistake.contains("line ") && !mistake.contains("canary"),
            "{broken}: {mistake}"
        );
        assert_eq!(states(&contents), ["global A set"]);
        assert!(
            shop.store().prepare(scope("global"), name("B")).is_err(),
            "{broken}"
        );
    }
    assert!(shop.store().examine().findings[0].contains("the next writer replaces it"));
    assert!(shop.store().lock().unwrap().repair().unwrap());
    assert_eq!(shop.store().examine().findings, [""; 0]);
    assert!(!shop.read("secrets.meta.yaml").contains(KEY));
}
