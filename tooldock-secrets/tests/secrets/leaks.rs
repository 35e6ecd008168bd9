//! Nothing that can be printed shows a value or a key.

use std::{error::Error, fs, sync::Arc};

use tooldock_secrets::{Follower, Keys, Places, Scope, SecretValue};

use crate::shop::{KEY, Shop, key, set};

const CANARY: &str = "canary-5a1e";

fn shown(thing: &dyn std::fmt::Debug) -> String {
    format!("{thing:?} {thing:#?}")
}

/// The debug form of every type, at every depth.
#[test]
fn s97_no_debug_form_shows_a_value() {
    let shop = Shop::new();
    let keys = Arc::new(Keys::new(key(KEY)).with_previous(key("previous-key-5a1e")));
    let store = shop.with(keys.clone());
    set(&store, "global", "A", CANARY);
    let contents = store.read().unwrap();
    let follower = Follower::new(shop.store());
    follower.refresh().unwrap();
    assert!(shown(&keys).contains("Derived(…)"), "{keys:?}");
    let value = contents.get(&Scope::Global, "A").unwrap();
    assert_eq!(format!("{value:?} {:?}", key(KEY)), "SecretValue(…) Key(…)");
    let all: [&dyn std::fmt::Debug; 7] = [
        &store,
        &contents,
        &follower,
        &keys,
        value,
        &contents.entries(),
        &contents.effective("any"),
    ];
    for text in all.map(shown) {
        assert!(
            !text.contains(CANARY) && !text.contains(KEY) && !text.contains("5a1e"),
            "{text}"
        );
    }
}

/// Every error, with every cause below it.
#[test]
fn s98_no_error_shows_a_value() {
    let shop = Shop::new();
    set(&shop.store(), "global", "A", CANARY);
    let places = Places::default().or_disk(shop.path(""));
    let mut errors: Vec<Box<dyn Error>> = vec![
        Box::new(
            shop.with(Keys::new(key("another-key-canary-5a1e")))
                .read()
                .unwrap_err(),
        ),
        Box::new(shop.with(Keys::insecure()).read().unwrap_err()),
        Box::new(SecretValue::new(format!("{CANARY}\0")).unwrap_err()),
        Box::new(SecretValue::new(CANARY.repeat(10_000)).unwrap_err()),
    ];
    let store = shop.store();
    for sheet in [
        format!("global:\n  A: \"{CANARY}"),
        format!("global:\n  A: [{CANARY}]"),
        format!("global:\n  A: {{{CANARY}: x}}"),
        format!("global:\n  A: \"{CANARY}\\0\""),
        format!("global:\n  A: &x {CANARY}"),
        format!("global:\n  A: !!int {CANARY}"),
        format!("global:\n  A: {CANARY}\n  A: {CANARY}"),
        format!("global:\n  A: *{CANARY}"),
        format!("global:\n  A: !{CANARY} x"),
        format!("global:\n  {CANARY}\n  A: x"),
        format!("%YAML {CANARY}\n---\nglobal:"),
        format!("global: {CANARY}"),
        CANARY.to_owned(),
    ] {
        let edit = tooldock_secrets::EditSession::begin(&store, &places).unwrap();
        fs::write(edit.path(), &sheet).unwrap();
        errors.push(Box::new(edit.save().expect_err(&sheet)));
    }
    fs::write(
        shop.path("secrets.enc"),
        shop.read("secrets.enc").replace(": 1,", ": 2,"),
    )
    .unwrap();
    errors.push(Box::new(shop.store().read().unwrap_err()));
    for error in errors {
        let mut cause: Option<&dyn Error> = Some(&*error);
        while let Some(error) = cause {
            let text = format!("{error} {error:?}");
            assert!(!text.contains("5a1e"), "{text}");
            cause = error.source();
        }
    }
}
