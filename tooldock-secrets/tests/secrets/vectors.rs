//! Known answers, bad files, and a file of which every bit is changed.

use tooldock_secrets::{
    EnvelopeError,
    testing::{bad, good, open},
};

use crate::shop::{KEY, Shop, set};

#[test]
fn every_good_vector_is_opened() {
    for vector in good() {
        let payload: serde_json::Value = serde_json::from_str(vector.payload.as_ref().unwrap()).unwrap();
        let opened: serde_json::Value = serde_json::from_str(&vector.open().unwrap()).unwrap();
        assert_eq!(opened, payload, "{}", vector.name);
    }
    assert_eq!(good().len(), 8);
}

/// Each bad file is refused by the step that its name is about, and no text of a refusal has anything of the file in it.
#[test]
fn s116_each_step_refuses_with_a_kind_of_its_own() {
    for vector in bad() {
        let error = vector.open().expect_err(&vector.name);
        let kind = format!("{error:?}");
        let kind = kind.split(['(', ' ']).next().unwrap();
        assert_eq!(kind, vector.error.as_deref().unwrap(), "{}", vector.name);
        // Nothing of the file, its payload or the key.
        for content in ["2ohc8Q", "A_KEY", "AAAA", "aes-256-gcm", "argon2id", "comment"] {
            assert!(!error.to_string().contains(content), "{}: {error}", vector.name);
        }
    }
    assert_eq!(bad().len(), 58);
    assert_eq!(
        open(Some(KEY), &vec![b' '; (4 << 20) + 1]),
        Err(EnvelopeError::TooLarge)
    );
}

/// Whatever bit of a file is another, the file is refused; only `salt`, `kdf` and `check` can make it look like a wrong key.
#[test]
fn s117_every_changed_bit_is_refused() {
    let shop = Shop::new();
    set(&shop.store(), "slack", "BOT_TOKEN", "xoxb-1");
    let file = shop.read("secrets.enc").into_bytes();
    let payload = open(Some(KEY), &file).unwrap();
    assert!(payload.contains("xoxb-1"));
    let text = String::from_utf8(file.clone()).unwrap();
    let of_the_key = text.find("\"kdf\"").unwrap()..text.find("\"nonce\"").unwrap();
    for at in 0..file.len() {
        for flip in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
            let mut changed = file.clone();
            changed[at] ^= flip;
            let error = open(Some(KEY), &changed).expect_err("a changed file");
            let wrong_key = error == EnvelopeError::WrongKey;
            assert!(
                !wrong_key || of_the_key.contains(&at),
                "byte {at} with {flip}: {error}"
            );
        }
    }
    assert_eq!(
        open(Some("another-key-7f1c2a9be4"), &file),
        Err(EnvelopeError::WrongKey)
    );
}

/// Of the last characters of a base64 text some bits may say nothing: they are looked at as well, for each length that a text can have.
#[test]
fn s117_bits_that_say_nothing_are_refused() {
    for value in ["a", "ab", "abc"] {
        let shop = Shop::new();
        set(&shop.store(), "global", "A", value);
        let file = shop.read("secrets.enc").into_bytes();
        let end = file.iter().rposition(|byte| *byte == b'"').unwrap();
        for at in end - 4..end {
            for other in (b'A'..=b'Z')
                .chain(*b"=+/az09")
                .filter(|other| *other != file[at])
            {
                let mut changed = file.clone();
                changed[at] = other;
                open(Some(KEY), &changed).expect_err("a changed file");
            }
        }
    }
}

/// A file that asks for gigabytes is refused before they are taken.
#[test]
fn s116_crafted_costs_take_neither_memory_nor_time() {
    let before = peak();
    let begin = std::time::Instant::now();
    for vector in bad()
        .iter()
        .filter(|vector| vector.error.as_deref() == Some("Kdf"))
    {
        vector.open().unwrap_err();
    }
    assert!(
        peak() - before < 16 << 10,
        "KiB: {} before, {} now",
        before,
        peak()
    );
    assert!(begin.elapsed().as_secs() < 1);
}

/// The most memory this process had, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
