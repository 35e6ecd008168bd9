//! Every operation on files fails once, and the program dies after each of them.

use std::{collections::BTreeMap, fs, sync::Arc, time::Duration};

use tooldock_secrets::{
    Desk, Keys,
    testing::{Failing, Fault, WRITERS, beside, seen},
};

use crate::shop::{KEY, Shop, key, set};

/// What is tried again.
const EINTR: i32 = 4;
/// What ends an edit: it is tried again by the next one.
const WIPING: [&str; 4] = ["overwrite", "remove_folder", "remove .", "remove secrets.yaml"];
const NEXT: &str = "next-key-41d0aa57c3";

/// A store with one value, whose file of names is out of date, so that repairing has something to do; its key is to be changed.
fn shop() -> Shop {
    let shop = Shop::new();
    set(&shop.store(), "global", "OLD", "old");
    fs::write(shop.path("secrets.meta.yaml"), "enc_generation: 0\n").unwrap();
    shop
}

/// Another folder with the same files.
fn copy(shop: &Shop) -> Shop {
    let copy = Shop::new();
    for (name, bytes) in files(shop) {
        fs::write(copy.path(&name), bytes).unwrap();
    }
    copy
}

/// The files, byte for byte.
fn files(shop: &Shop) -> BTreeMap<String, Vec<u8>> {
    let files = shop.names().into_iter().filter(|name| shop.path(name).is_file());
    files
        .map(|name| (name.clone(), fs::read(shop.path(&name)).unwrap()))
        .collect()
}

/// Lets each operation of each writer go wrong. What is seen afterwards is the old or the new state, each file is whole, the lock is
/// free, and the next command works and leaves nothing behind. A write that is interrupted is gone on with.
fn try_all(fault: Fault) -> usize {
    // Derived once for all of them.
    let keys = Arc::new(Keys::new(key(NEXT)).with_previous(key(KEY)));
    let store = |shop: &Shop| shop.with(Arc::clone(&keys)).with_wait(Duration::ZERO);
    let (fresh, mut runs) = (shop(), 0);
    let old = files(&fresh);
    let before = seen(&store(&fresh)).unwrap();
    for writer in WRITERS {
        let after = {
            let shop = copy(&fresh);
            writer.run(&store(&shop)).unwrap();
            seen(&store(&shop)).unwrap()
        };
        for at in 0.. {
            let shop = copy(&fresh);
            let disk = Arc::new(Failing::new(at, fault));
            let result = writer.run(&store(&shop).with_disk(disk.clone()));
            let operations = disk.operations();
            let Some(operation) = operations.get(at) else {
                break;
            };
            runs += 1;
            let what = format!("{}, {at}: {operation}, {fault:?}: {result:?}", writer.name);
            let now = seen(&store(&shop)).expect(&what);
            assert!(now == before || now == after, "{what}: {now:?}");
            if result.is_ok() {
                assert_eq!(now, after, "{what}");
                let told = matches!(fault, Fault::Error(code) if code != EINTR);
                assert!(
                    !told || WIPING.iter().any(|word| operation.starts_with(word)),
                    "{what}"
                );
            }
            if fault == Fault::Error(EINTR) && operation == "write" {
                assert!(result.is_ok(), "{what}");
            }
            let lives = matches!(fault, Fault::Error(_) | Fault::Short);
            let aside = shop.names().into_iter().find(|name| name.ends_with(".new"));
            assert!(!lives || aside.is_none(), "{what}: {aside:?}");
            for (name, bytes) in files(&shop).iter().filter(|(name, _)| !name.ends_with(".new")) {
                let same = old.get(name) == Some(bytes);
                let whole = match name.as_str() {
                    "secrets.enc" => bytes.ends_with(b"}\n"),
                    "secrets.meta.yaml" => bytes.starts_with(b"# Names") && bytes.ends_with(b"\n"),
                    ".env" => bytes.ends_with(b"SECRETS_KEY=made\n"),
                    _ => bytes.is_empty(),
                };
                assert!(same || whole, "{what}: {name}");
            }
            let next = store(&shop);
            next.lock().expect(&what).repair().expect(&what);
            Desk::sweep(&beside(&next));
            assert_eq!(seen(&next).expect(&what), now, "{what}");
            writer.run(&next).expect(&what);
            assert_eq!(seen(&next).expect(&what), after, "{what}");
            let mut names = shop.names();
            names.retain(|name| name != ".env");
            assert_eq!(
                names,
                ["secrets.enc", "secrets.lock", "secrets.meta.yaml"],
                "{what}"
            );
        }
    }
    runs
}

/// EIO, ENOSPC, EACCES and EINTR, and writes that take one byte.
#[test]
fn r09_every_operation_fails_once() {
    for code in [5, 28, 13, EINTR] {
        assert!(try_all(Fault::Error(code)) > 80);
    }
    assert!(try_all(Fault::Short) > 80);
}

/// The program dies after each operation, and in the middle of each write.
#[test]
fn r07_a_kill_after_each_operation() {
    assert!(try_all(Fault::KilledAfter) > 80);
    assert!(try_all(Fault::KilledIn) > 80);
}
