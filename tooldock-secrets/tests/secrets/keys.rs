//! Which keys open which files.

use std::fs;

use tooldock_secrets::{Key, KeyError, Keys, StoreError};

use crate::shop::{KEY, Shop, got, key, set};

/// Without a key values are plain text, which a store with a key refuses, and the other way round. Neither touches the file.
#[test]
fn s93_sealed_and_plain_files_do_not_meet() {
    let shop = Shop::new();
    set(&shop.with(Keys::insecure()), "global", "A", "plain-value-1");
    let plain = shop.read("secrets.enc");
    assert!(plain.contains("\"none\""));
    let error = shop.store().read().unwrap_err().to_string();
    assert!(error.contains("not encrypted and there is a key"), "{error}");
    assert_eq!(
        got(&shop.with(Keys::insecure()).read().unwrap(), "global", "A"),
        Some("plain-value-1")
    );
    assert!(shop.store().change(|_| Ok(())).is_err());
    let error = shop.with(Keys::none()).read().unwrap_err().to_string();
    assert!(error.contains("it is not encrypted; set SECRETS_KEY"), "{error}");
    assert_eq!(shop.read("secrets.enc"), plain);

    fs::remove_file(shop.path("secrets.enc")).unwrap();
    set(&shop.store(), "global", "A", "sealed-value-1");
    let sealed = shop.read("secrets.enc");
    assert!(!sealed.contains("none"));
    let error = shop.with(Keys::insecure()).read().unwrap_err().to_string();
    assert!(error.contains("there is no key; set SECRETS_KEY"), "{error}");
    assert!(shop.with(Keys::insecure()).change(|_| Ok(())).is_err());
    assert_eq!(shop.read("secrets.enc"), sealed);
    assert!(
        Shop::new().with(Keys::none()).read().is_ok(),
        "no file, no secrets"
    );
    let empty = Shop::new();
    assert!(matches!(
        empty.with(Keys::none()).change(|_| Ok(())),
        Err(StoreError::NoKey)
    ));
    assert_eq!(
        empty.names(),
        ["secrets.lock"],
        "nothing is written without a key"
    );
}

#[test]
fn s94_weak_keys_are_refused() {
    for (text, error) in [
        ("", KeyError::TooShort),
        ("fifteen-letters", KeyError::TooShort),
        ("aaaaaaaaaaaaaaaaaaaaaaaa", KeyError::Known),
        ("abababababababababababab", KeyError::Known),
        ("correct horse battery staple", KeyError::Known),
        ("CHANGE-ME-CHANGE-ME", KeyError::Known),
        (&"0123456789".repeat(500), KeyError::TooLong),
    ] {
        assert_eq!(Key::new(text.as_bytes().to_vec()).unwrap_err(), error, "{text}");
    }
    assert!(Key::new(KEY.as_bytes().to_vec()).is_ok());
}

/// A key from a file is the key that was typed: one line break at its end is not part of it, everything else is.
#[test]
fn a_key_file_may_end_with_one_line_break() {
    let shop = Shop::new();
    set(&shop.store(), "global", "A", "x");
    let opens = |content: String| {
        let key = Key::from_file(content.into_bytes()).unwrap();
        shop.with(Keys::new(key)).read().is_ok()
    };
    assert!(opens(KEY.to_owned()) && opens(format!("{KEY}\n")) && opens(format!("{KEY}\r\n")));
    assert!(!opens(format!("{KEY}\n\n")) && !opens(format!("{KEY} \n")) && !opens(format!(" {KEY}")));
}

/// Deriving is slow on purpose, so it happens once for a file, however often that is read and written.
#[test]
fn s118_the_key_is_derived_once() {
    let shop = Shop::new();
    let store = tooldock_secrets::Store::new(shop.path(""), Keys::new(key(KEY)));
    let timed = |work: &dyn Fn()| {
        let begin = std::time::Instant::now();
        work();
        begin.elapsed()
    };
    let first = timed(&|| set(&store, "global", "A", "x"));
    let quickest = (0..10)
        .map(|_| timed(&|| drop(store.read().unwrap())))
        .min()
        .unwrap();
    assert!(
        quickest.as_micros() < 5_000,
        "reading again took {quickest:?}, deriving {first:?}"
    );
    let again = (0..5)
        .map(|_| timed(&|| set(&store, "global", "A", "y")))
        .min()
        .unwrap();
    assert!(
        again * 5 < first,
        "writing again took {again:?}, deriving {first:?}"
    );
}
