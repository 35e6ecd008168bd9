//! A program that reads again and again.

use std::fs;

use tooldock_secrets::{Follower, StoreError};

use crate::shop::{Shop, got, set};

/// An older file that comes back is refused while the program runs; what was good stays.
#[test]
fn s121_an_older_file_is_refused_until_the_restart() {
    let shop = Shop::new();
    set(&shop.store(), "global", "A", "one");
    let old = shop.read("secrets.enc");
    set(&shop.store(), "global", "A", "two");
    let follower = Follower::new(shop.store());
    follower.refresh().unwrap();
    fs::write(shop.path("secrets.enc"), &old).unwrap();
    let error = follower.refresh().unwrap_err();
    assert!(
        matches!(error, StoreError::Rollback { found: 1, seen: 2 }),
        "{error}"
    );
    assert_eq!(got(&follower.current().unwrap(), "global", "A"), Some("two"));
    fs::remove_file(shop.path("secrets.enc")).unwrap();
    assert!(matches!(
        follower.refresh(),
        Err(StoreError::Rollback { found: 0, .. })
    ));
    fs::write(shop.path("secrets.enc"), &old).unwrap();
    assert_eq!(
        got(&Follower::new(shop.store()).refresh().unwrap(), "global", "A"),
        Some("one")
    );
}

/// A damaged file is reported and left as it is, by readers and writers; the last good values stay.
#[test]
fn s123_a_damaged_file_is_never_overwritten() {
    let shop = Shop::new();
    set(&shop.store(), "global", "A", "one");
    let follower = Follower::new(shop.store());
    follower.refresh().unwrap();
    let damaged = shop
        .read("secrets.enc")
        .replace("\"generation\": 1", "\"generation\": 9");
    fs::write(shop.path("secrets.enc"), &damaged).unwrap();
    let error = follower.refresh().unwrap_err().to_string();
    assert!(
        error.contains("the key is right, but the file was damaged"),
        "{error}"
    );
    assert_eq!(got(&follower.current().unwrap(), "global", "A"), Some("one"));
    assert!(
        Follower::new(shop.store()).refresh().is_err(),
        "nothing good at a start"
    );
    assert!(shop.store().change(|_| Ok(())).is_err());
    assert!(shop.store().rekey().is_err());
    assert!(shop.store().lock().unwrap().repair().is_err());
    assert_eq!(shop.read("secrets.enc"), damaged);
}
