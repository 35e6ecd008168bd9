//! The files as others see them.

use std::{
    fs, io,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::Path,
};

use tooldock_secrets::{Disk as _, RealDisk, StoreError};

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

/// What is written aside is a new file: what somebody has put there meanwhile is neither taken nor changed.
#[test]
fn s119_a_file_aside_is_none_that_is_there() {
    type Put = fn(&Path, &Path) -> io::Result<()>;
    let puts: [Put; 3] = [
        |victim, at| fs::copy(victim, at).map(drop),
        |victim, at| symlink(victim, at),
        |victim, at| fs::hard_link(victim, at),
    ];
    for put in puts {
        let shop = Shop::new();
        fs::write(shop.path("victim"), "untouched").unwrap();
        put(&shop.path("victim"), &shop.path("aside")).unwrap();
        assert!(RealDisk.create(&shop.path("aside")).is_err());
        assert_eq!(shop.read("victim"), "untouched");
        assert_eq!(shop.read("aside"), "untouched");
    }
}

/// Whatever stands in the place of the file with the values is refused at once, and named.
#[test]
fn what_is_no_file_is_refused_at_once() {
    type Put = fn(&Path);
    let puts: [(Put, &str); 4] = [
        (|at| fs::create_dir(at).unwrap(), "no regular file"),
        (fifo, "no regular file"),
        (|at| symlink("/dev/zero", at).unwrap(), "cannot read"),
        (
            |at| fs::File::create(at).unwrap().set_len(1 << 40).unwrap(),
            "4 MiB",
        ),
    ];
    for (put, says) in puts {
        let shop = Shop::new();
        put(&shop.path("secrets.enc"));
        for result in [shop.store().read().map(drop), shop.store().change(|_| Ok(()))] {
            let error = result.unwrap_err().to_string();
            assert!(error.contains(says) && error.contains("secrets.enc"), "{error}");
        }
        // A reader of the pipe would wait for a writer, and a locker for a reader.
        let shop = Shop::new();
        put(&shop.path("secrets.lock"));
        let store = shop.store();
        if let Err(error) = store.lock() {
            assert!(error.to_string().contains("secrets.lock"), "{error}");
        }
    }
}

fn fifo(at: &Path) {
    let made = std::process::Command::new("mkfifo").arg(at).status().unwrap();
    assert!(made.success());
}

/// Neither a lock nor zeros go through a link.
#[test]
fn s119_links_are_neither_locked_nor_overwritten() {
    let shop = Shop::new();
    fs::write(shop.path("victim"), "untouched").unwrap();
    for link in ["secrets.lock", "sheet"] {
        symlink(shop.path("victim"), shop.path(link)).unwrap();
    }
    assert!(shop.store().lock().is_err());
    assert!(RealDisk.overwrite(&shop.path("sheet"), 9).is_err());
    assert_eq!(shop.read("victim"), "untouched");
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
