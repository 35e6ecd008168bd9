//! More than one writer.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use tooldock_secrets::{
    Keys, StoreError,
    testing::{Failing, Fault},
};

use crate::shop::{KEY, Shop, got, key, name, scope, set, value};

/// Two writers make a thousand changes of every kind, and each change of each is there at the end.
#[test]
fn r24_two_writers_lose_nothing() {
    let shop = Shop::new();
    let work = |own: &str| {
        let keys = Arc::new(Keys::new(key(KEY)));
        // A lock of its own each time, as two programs have it.
        for round in 0..500_usize {
            // It can wait for all that the other does: a loop like this one may get the lock many times in a row.
            let store = shop.with(keys.clone()).with_wait(Duration::from_secs(300));
            let secret = name(&format!("N{}", round % 50));
            match round % 5 {
                4 => store.prepare(scope(own), name(&format!("WAITS{round}"))).unwrap(),
                _ => store
                    .change(|contents| {
                        if round % 5 == 3 {
                            contents.unset(&scope(own), &secret);
                        }
                        contents.set(scope(own), secret.clone(), value(&round.to_string()));
                        let count: usize =
                            got(contents, own, "COUNT").map_or(0, |text| text.parse().unwrap());
                        contents.set(scope(own), name("COUNT"), value(&(count + 1).to_string()));
                        Ok(())
                    })
                    .unwrap(),
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| work("left"));
        scope.spawn(|| work("right"));
    });
    let contents = shop.store().read().unwrap();
    assert_eq!(contents.generation(), 800);
    for own in ["left", "right"] {
        assert_eq!(got(&contents, own, "COUNT"), Some("400"));
        let waiting = contents
            .entries()
            .iter()
            .filter(|entry| entry.scope == scope(own) && entry.name.as_str().starts_with("WAITS"))
            .count();
        assert_eq!(waiting, 100);
        for last in (450..500).filter(|round| round % 5 != 4) {
            assert_eq!(
                got(&contents, own, &format!("N{}", last % 50)),
                Some(last.to_string().as_str())
            );
        }
    }
}

/// A writer waits for the one before it for a bounded time, and says who may be in the way. A reader waits for nobody.
#[test]
fn s119_a_writer_that_does_not_end_is_named() {
    let shop = Shop::new();
    set(&shop.store(), "global", "A", "x");
    let store = shop.store();
    let _locked = store.lock().unwrap();
    let impatient = shop.store().with_wait(Duration::from_millis(20));
    let begin = Instant::now();
    let error = impatient.change(|_| Ok(())).unwrap_err();
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    assert!(
        matches!(error, StoreError::Busy(_)) && error.to_string().contains("an open editor?"),
        "{error}"
    );
    assert_eq!(impatient.read().unwrap().generation(), 1);
}

/// A program that is started while the lock is held does not hold it on.
#[test]
fn s119_the_lock_is_not_inherited() {
    let shop = Shop::new();
    let store = shop.store();
    let locked = store.lock().unwrap();
    let mut child = std::process::Command::new("sleep").arg("30").spawn().unwrap();
    drop(locked);
    // A child has what it inherits for a moment after it is said to have been started.
    let free = shop.store().with_wait(Duration::from_secs(10)).lock().is_ok();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(free);
}

/// Locked, read, then the values before the names, each written aside, flushed, renamed, and its folder flushed.
#[test]
fn s119_values_are_on_the_disk_before_names_are() {
    let shop = Shop::new();
    set(&shop.store(), "global", "A", "x");
    let disk = Arc::new(Failing::new(0, Fault::None));
    set(
        &shop.with(Keys::new(key(KEY))).with_disk(disk.clone()),
        "global",
        "A",
        "y",
    );
    let replace = |file: &str| {
        [
            format!("remove {file}.new"),
            format!("create {file}.new"),
            "write".to_owned(),
            "sync".to_owned(),
            format!("rename {file}.new {file}"),
            "sync_folder".to_owned(),
        ]
    };
    let begin = ["lock secrets.lock", "read secrets.meta.yaml", "read secrets.enc"].map(str::to_owned);
    let expected = [&begin[..], &replace("secrets.enc"), &replace("secrets.meta.yaml")].concat();
    assert_eq!(disk.operations(), expected);
}
