//! The files as others see them.

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
};

use tooldock_secrets::StoreError;

use crate::shop::{Shop, name, scope, set, value};

#[test]
fn s119_only_the_owner_may_use_the_files() {
    let shop = Shop::new();
    set(&shop.store(), "global", "A", "x");
    for file in shop.names() {
        let mode = fs::metadata(shop.path(&file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    fs::set_permissions(shop.path("secrets.enc"), fs::Permissions::from_mode(0o644)).unwrap();
    let findings = shop.store().examine().findings;
    assert!(findings[0].ends_with("(mode 644); chmod 600 it"), "{findings:?}");
}

/// Nothing is read or written through a link.
#[test]
fn links_in_the_place_of_files_are_refused() {
    let (shop, other) = (Shop::new(), Shop::new());
    set(&other.store(), "global", "A", "x");
    symlink(other.path("secrets.enc"), shop.path("secrets.enc")).unwrap();
    assert!(shop.store().read().is_err());
    fs::remove_file(shop.path("secrets.enc")).unwrap();
    fs::write(other.path("victim"), "untouched").unwrap();
    symlink(other.path("victim"), shop.path("secrets.enc.new")).unwrap();
    set(&shop.store(), "global", "A", "x");
    assert_eq!(other.read("victim"), "untouched");
}

/// More values than a file may hold are refused before anything is written.
#[test]
fn too_many_values_are_refused() {
    let shop = Shop::new();
    set(&shop.store(), "global", "A", "x");
    let before = shop.read("secrets.enc");
    let error = shop.store().change(|contents| {
        for number in 0..60 {
            contents.set(
                scope("global"),
                name(&format!("N{number}")),
                value(&"x".repeat(64 << 10)),
            );
        }
        Ok(())
    });
    assert!(matches!(error, Err(StoreError::TooMuch)));
    assert_eq!(shop.read("secrets.enc"), before);
}

/// The rule of the program that uses the store holds for every way to a new name.
#[test]
fn s61_names_that_the_rule_refuses_are_not_stored() {
    let shop = Shop::new();
    let rule = |name: &str| {
        if name == "LD_PRELOAD" {
            Err(format!("`{name}` steers the loader"))
        } else {
            Ok(())
        }
    };
    let store = shop.store().with_rule(rule);
    let refused = store.change(|contents| {
        contents.set(scope("global"), name("LD_PRELOAD"), value("x"));
        Ok(())
    });
    assert_eq!(refused.unwrap_err().to_string(), "`LD_PRELOAD` steers the loader");
    assert!(store.prepare(scope("global"), name("LD_PRELOAD")).is_err());
    set(&store, "global", "LD_LIKE", "x");
    for text in [
        "",
        "a",
        "1A",
        "_A",
        "Aa",
        "A-B",
        "A B",
        "Ä",
        "AÄ",
        &"A".repeat(129),
    ] {
        assert!(text.parse::<tooldock_secrets::SecretName>().is_err(), "{text}");
    }
    assert!("A".repeat(128).parse::<tooldock_secrets::SecretName>().is_ok());
}

/// A namespace is given the global values and its own, which win, and never those of another one.
#[test]
fn s101_namespaces_are_kept_apart() {
    let shop = Shop::new();
    for (place, secret, text) in [
        ("global", "A", "everybody's"),
        ("global", "B", "everybody's"),
        ("one", "B", "of one"),
        ("two", "C", "of two"),
    ] {
        set(&shop.store(), place, secret, text);
    }
    let contents = shop.store().read().unwrap();
    let given = |namespace: &str| {
        let pairs = contents.effective(namespace);
        pairs
            .iter()
            .map(|(name, value)| format!("{name}={}", value.expose()))
            .collect::<Vec<_>>()
    };
    assert_eq!(given("one"), ["A=everybody's", "B=of one"]);
    assert_eq!(given("two"), ["A=everybody's", "B=everybody's", "C=of two"]);
    assert_eq!(given("global"), ["A=everybody's", "B=everybody's"]);
    assert_eq!(given("../one"), ["A=everybody's", "B=everybody's"]);
}
