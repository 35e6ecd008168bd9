//! Every operation on files fails once, and the program dies after each of them.

use std::{collections::BTreeMap, fs, sync::Arc};

use tooldock_secrets::{
    Keys, Store, StoreError,
    testing::{Failing, Fault},
};

use crate::shop::{KEY, Shop, key, name, scope, set, states, value};

const NEXT: &str = "next-key-41d0aa57c3";

/// What writes.
type Command = (&'static str, fn(&Store) -> Result<(), StoreError>);

const COMMANDS: [Command; 5] = [
    ("set", |store| {
        store.change(|contents| {
            contents.set(scope("slack"), name("NEW"), value("new"));
            Ok(())
        })
    }),
    ("unset", |store| {
        store.change(|contents| {
            contents.unset(&scope("global"), &name("OLD"));
            Ok(())
        })
    }),
    ("prepare", |store| store.prepare(scope("slack"), name("WAITS"))),
    ("rekey", Store::rekey),
    ("repair", |store| store.lock()?.repair().map(drop)),
];

/// A store with one value, whose file of names is out of date, so that repairing has something to do.
fn shop() -> Shop {
    let shop = Shop::new();
    set(&shop.store(), "global", "OLD", "old");
    fs::write(shop.path("secrets.meta.yaml"), "enc_generation: 0\n").unwrap();
    shop
}

fn store(shop: &Shop, disk: Arc<Failing>) -> Store {
    shop.with(Keys::new(key(NEXT)).with_previous(key(KEY)))
        .with_disk(disk)
}

/// The files, byte for byte.
fn files(shop: &Shop) -> BTreeMap<String, Vec<u8>> {
    shop.names()
        .into_iter()
        .map(|name| (name.clone(), fs::read(shop.path(&name)).unwrap()))
        .collect()
}

/// What can be seen of a store: values and states.
fn seen(shop: &Shop) -> (Vec<String>, Vec<String>) {
    let contents = store(shop, Arc::new(Failing::new(0, Fault::None)))
        .read()
        .unwrap();
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
fn try_all(fault: impl Fn(usize) -> Fault) -> usize {
    let mut runs = 0;
    for (command, run) in COMMANDS {
        let before = seen(&shop());
        let after = {
            let shop = shop();
            run(&store(&shop, Arc::new(Failing::new(0, Fault::None)))).unwrap();
            seen(&shop)
        };
        for at in 0.. {
            let shop = shop();
            let old = files(&shop);
            let disk = Arc::new(Failing::new(at, fault(at)));
            let result = run(&store(&shop, Arc::clone(&disk)));
            if disk.operations() <= at {
                break;
            }
            runs += 1;
            let what = format!("{command}, operation {at}, {:?}: {result:?}", fault(at));
            let now = seen(&shop);
            assert!(now == before || now == after, "{what}: {now:?}");
            if result.is_ok() {
                assert_eq!(now, after, "{what}");
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
            let next = shop
                .with(Keys::new(key(NEXT)).with_previous(key(KEY)))
                .with_wait(std::time::Duration::ZERO);
            next.lock().expect(&what).repair().expect(&what);
            assert_eq!(
                shop.names(),
                ["secrets.enc", "secrets.lock", "secrets.meta.yaml"],
                "{what}"
            );
            assert_eq!(seen(&shop), now, "{what}");
        }
    }
    runs
}

/// EIO, ENOSPC, EACCES and EINTR, and writes that take one byte.
#[test]
fn r09_every_operation_fails_once() {
    for code in [5, 28, 13, 4] {
        assert!(try_all(|_| Fault::Error(code)) > 40);
    }
    assert!(try_all(|_| Fault::Short) > 40);
}

/// The program dies after each operation, and in the middle of each write.
#[test]
fn r07_a_kill_after_each_operation() {
    assert!(try_all(|_| Fault::KilledAfter) > 40);
    assert!(try_all(|_| Fault::KilledIn) > 40);
}
