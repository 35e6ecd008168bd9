//! Every operation on files fails once, and the program dies after each of them.

use std::{collections::BTreeMap, error::Error, fs, sync::Arc, time::Duration};

use tooldock_secrets::{
    Desk, EditSession, Keys, Places, Store,
    testing::{Failing, Fault},
};

use crate::shop::{KEY, Shop, key, name, scope, set, states, value};

/// What is tried again.
const EINTR: i32 = 4;
/// What ends an edit: it is tried again by the next one.
const WIPING: [&str; 4] = ["overwrite", "remove_folder", "remove .", "remove secrets.yaml"];
const NEXT: &str = "next-key-41d0aa57c3";

/// What writes.
type Command = (&'static str, fn(&Store) -> Result<(), Box<dyn Error>>);

const COMMANDS: [Command; 6] = [
    ("set", |store| {
        let set = store.change(|contents| {
            contents.set(scope("slack"), name("NEW"), value("new"));
            Ok(())
        });
        Ok(set?)
    }),
    ("unset", |store| {
        let unset = store.change(|contents| {
            contents.unset(&scope("global"), &name("OLD"));
            Ok(())
        });
        Ok(unset?)
    }),
    ("prepare", |store| {
        Ok(store.prepare(scope("slack"), name("WAITS"))?)
    }),
    ("rekey", |store| Ok(store.rekey()?)),
    ("repair", |store| Ok(store.lock()?.repair().map(drop)?)),
    ("edit", |store| {
        let edit = EditSession::begin(store, &places(store))?;
        fs::write(
            edit.path(),
            "global:\n  OLD: changed\nnamespaces:\n  slack:\n    NEW: new\n",
        )?;
        fs::write(edit.folder().join(".secrets.yaml.swp"), "OLD: changed")?;
        edit.save()?;
        Ok(())
    }),
];

/// Where edits lie: beside the store.
fn places(store: &Store) -> Places {
    Places::new([""; 0]).or_disk(store.folder())
}

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

/// What can be seen of a store: values and states.
fn seen(store: &Store) -> (Vec<String>, Vec<String>) {
    let contents = store.read().unwrap();
    let values = ["global", "slack"].into_iter().flat_map(|namespace| {
        let pairs = contents.effective(namespace);
        pairs
            .iter()
            .map(|(name, value)| format!("{name}={}", value.expose()))
            .collect::<Vec<_>>()
    });
    (values.collect(), states(&contents))
}

/// Runs a command with a fault at each of its operations. What is seen afterwards is the old or the new state, each file is
/// whole, the lock is free, and the next command leaves nothing behind.
fn try_all(fault: Fault) -> usize {
    // Derived once for all of them.
    let keys = Arc::new(Keys::new(key(NEXT)).with_previous(key(KEY)));
    let store = |shop: &Shop| shop.with(Arc::clone(&keys)).with_wait(Duration::ZERO);
    let (fresh, mut runs) = (shop(), 0);
    let old = files(&fresh);
    let before = seen(&store(&fresh));
    for (command, run) in COMMANDS {
        let after = {
            let shop = copy(&fresh);
            run(&store(&shop)).unwrap();
            seen(&store(&shop))
        };
        for at in 0.. {
            let shop = copy(&fresh);
            let disk = Arc::new(Failing::new(at, fault));
            let result = run(&store(&shop).with_disk(disk.clone()));
            let operations = disk.operations();
            let Some(operation) = operations.get(at) else {
                break;
            };
            runs += 1;
            let what = format!("{command}, {at}: {operation}, {fault:?}: {result:?}");
            let now = seen(&store(&shop));
            assert!(now == before || now == after, "{what}: {now:?}");
            if result.is_ok() {
                assert_eq!(now, after, "{what}");
                let told = matches!(fault, Fault::Error(code) if code != EINTR);
                assert!(
                    !told || WIPING.iter().any(|word| operation.starts_with(word)),
                    "{what}"
                );
            }
            for (name, bytes) in files(&shop).iter().filter(|(name, _)| !name.ends_with(".new")) {
                let same = old.get(name) == Some(bytes);
                let whole = match name.as_str() {
                    "secrets.enc" => bytes.ends_with(b"}\n"),
                    "secrets.meta.yaml" => bytes.starts_with(b"# Names") && bytes.ends_with(b"\n"),
                    _ => bytes.is_empty(),
                };
                assert!(same || whole, "{what}: {name}");
            }
            let next = store(&shop);
            next.lock().expect(&what).repair().expect(&what);
            Desk::sweep(&places(&next));
            assert_eq!(
                shop.names(),
                ["secrets.enc", "secrets.lock", "secrets.meta.yaml"],
                "{what}"
            );
            assert_eq!(seen(&next), now, "{what}");
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
