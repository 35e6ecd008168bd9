//! Changing the key.

use tooldock_secrets::{Keys, StoreError};

use crate::shop::{KEY, Shop, got, key, set};

const NEXT: &str = "next-key-41d0aa57c3";

/// The line of a file that has its salt.
fn salt(text: &str) -> String {
    let mut lines = text.lines();
    lines.find(|line| line.contains("salt")).unwrap().to_owned()
}

/// While the key is changed, readers open with either; afterwards nothing on the disk opens with the old one.
#[test]
fn s122_nothing_is_left_under_the_old_key() {
    let shop = Shop::new();
    set(&shop.store(), "global", "A", "x");
    let before = salt(&shop.read("secrets.enc"));
    let both = || shop.with(Keys::new(key(NEXT)).with_previous(key(KEY)));
    assert!(both().read().unwrap().by_previous_key());
    assert!(both().examine().findings[0].contains("secrets rekey"));
    both().rekey().unwrap();
    assert_ne!(salt(&shop.read("secrets.enc")), before);
    assert!(!both().read().unwrap().by_previous_key());
    assert_eq!(
        got(&shop.with(Keys::new(key(NEXT))).read().unwrap(), "global", "A"),
        Some("x")
    );
    assert!(
        shop.store()
            .read()
            .unwrap_err()
            .to_string()
            .contains("not the one it was written with")
    );
    assert_eq!(shop.names(), ["secrets.enc", "secrets.lock", "secrets.meta.yaml"]);
    // Also where the key stays: what was derived before opens nothing any more.
    let before = salt(&shop.read("secrets.enc"));
    shop.with(Keys::new(key(NEXT))).rekey().unwrap();
    assert_ne!(salt(&shop.read("secrets.enc")), before);
    assert!(matches!(
        shop.with(Keys::insecure()).rekey(),
        Err(StoreError::NoKey)
    ));
}

/// Any write moves a file from the previous key to the current one, with a salt that belongs to it alone.
#[test]
fn s122_nothing_is_sealed_with_the_previous_key() {
    let shop = Shop::new();
    set(&shop.store(), "global", "A", "x");
    let before = salt(&shop.read("secrets.enc"));
    set(
        &shop.with(Keys::new(key(NEXT)).with_previous(key(KEY))),
        "global",
        "B",
        "y",
    );
    assert_ne!(salt(&shop.read("secrets.enc")), before);
    assert_eq!(
        shop.with(Keys::new(key(NEXT)))
            .read()
            .unwrap()
            .effective("any")
            .len(),
        2
    );
}
