//! Editing every value at once.

use std::{
    fs,
    io::Read as _,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::Path,
};

use tooldock_secrets::{Desk, EditError, EditSession, Edited, Places};

use crate::shop::{Shop, got, name, scope, set, states};

/// A place that tests may use, whatever file systems there are.
fn places(shop: &Shop) -> Places {
    Places::new([""; 0]).or_disk(shop.path(""))
}

fn folders(shop: &Shop) -> usize {
    shop.names()
        .iter()
        .filter(|name| name.starts_with("tooldock-edit-"))
        .count()
}

/// Values of every shape come back from the sheet as they were, and then nothing is written.
#[test]
fn s96_an_unchanged_sheet_writes_nothing() {
    let shop = Shop::new();
    let values = [
        "plain",
        "no",
        "017",
        "null",
        "~",
        " spaces ",
        "# hash",
        "a: b",
        "\"quoted\" 'twice'",
        "a\tb",
        "back\\slash",
        "${HOME}",
        "one\ntwo",
        "one\ntwo\n",
        "one\n\n  two \n#three\n",
        "one\n\n",
        "\none",
        " one\ntwo",
        "one\r\ntwo",
        "ü€😀",
        "\u{feff}x\ny",
        "---\n...",
        "%x\n- y",
        "\u{2028}x\ny",
        "\u{85}",
        "-----BEGIN KEY-----\nMIIB\n-----END KEY-----\n",
    ];
    for (number, text) in values.iter().enumerate() {
        set(
            &shop.store(),
            if number % 2 == 0 { "global" } else { "on" },
            &format!("N{number}"),
            text,
        );
    }
    shop.store().prepare(scope("slack"), name("WAITS")).unwrap();
    let before = shop.read("secrets.enc");
    let store = shop.store();
    let edit = EditSession::begin(&store, &places(&shop)).unwrap();
    let sheet = fs::read_to_string(edit.path()).unwrap();
    assert_eq!(edit.save().unwrap(), Edited::Unchanged, "{sheet}");
    assert!(sheet.contains("    WAITS:\n"), "{sheet}");
    assert_eq!(shop.read("secrets.enc"), before);
    drop(edit);
    assert_eq!(folders(&shop), 0);
}

#[test]
fn s96_a_changed_sheet_is_stored_and_wiped() {
    let shop = Shop::new();
    set(&shop.store(), "global", "GOES", "x");
    set(&shop.store(), "global", "STAYS", "x");
    let store = shop.store();
    let edit = EditSession::begin(&store, &places(&shop)).unwrap();
    assert_eq!(
        fs::metadata(edit.folder()).unwrap().permissions().mode() & 0o777,
        0o700
    );
    assert_eq!(
        fs::metadata(edit.path()).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(
        shop.store().with_wait(std::time::Duration::ZERO).lock().is_err(),
        "locked meanwhile"
    );
    // As editors do it: a new file in the place of the old one, and another one left beside it.
    fs::write(
        edit.folder().join("new"),
        "global:\n  STAYS: x\n  WAITS:\nnamespaces:\n  slack:\n    BOT: |\n      a\n      b\n",
    )
    .unwrap();
    fs::rename(edit.folder().join("new"), edit.path()).unwrap();
    fs::create_dir(edit.folder().join("swap")).unwrap();
    fs::write(edit.folder().join("swap/.secrets.yaml.swp"), "x").unwrap();
    assert_eq!(edit.save().unwrap(), Edited::Changed);
    // Whoever holds a file open sees what became of it.
    let mut held = fs::File::open(edit.path()).unwrap();
    drop(edit);
    let mut left = Vec::new();
    held.read_to_end(&mut left).unwrap();
    assert!(
        !left.is_empty() && left.iter().all(|byte| *byte == 0),
        "overwritten, not only unlinked"
    );
    let contents = shop.store().read().unwrap();
    assert_eq!(
        states(&contents),
        ["global STAYS set", "global WAITS placeholder", "slack BOT set"]
    );
    assert_eq!(got(&contents, "slack", "BOT"), Some("a\nb\n"));
    assert_eq!(folders(&shop), 0);
}

/// A sheet that breaks a rule can be edited again; one that is given up changes nothing.
#[test]
fn s96_a_wrong_sheet_can_be_edited_again() {
    let shop = Shop::new();
    set(&shop.store(), "global", "A", "x");
    let before = shop.read("secrets.enc");
    let store = shop.store().with_rule(|name| {
        if name == "PATH" {
            Err("`PATH` is not yours".to_owned())
        } else {
            Ok(())
        }
    });
    let edit = EditSession::begin(&store, &places(&shop)).unwrap();
    for (sheet, says) in [
        ("global: [", "line 1"),
        ("global:\n  a: x", "`a` is no name of a secret"),
        ("global:\n  A: ''", "`A` (global): the value is empty"),
        ("global:\n  A: x\n  A: y", "line 3: the key is there twice"),
        ("namespaces:\n  ../x:\n    A: x", "is no scope"),
        ("namespaces:\n  global:\n    A: x", "cannot be called `global`"),
        ("others:\n  A: x", "line 1: there is no such key"),
        ("global:\n  PATH: x", "`PATH` is not yours"),
    ] {
        fs::write(edit.path(), sheet).unwrap();
        let error = edit.save().expect_err(sheet);
        assert!(
            matches!(error, EditError::Sheet(_)) && error.to_string().contains(says),
            "{sheet}: {error}"
        );
    }
    assert_eq!(shop.read("secrets.enc"), before);
    fs::write(edit.path(), "global:\n  A: y").unwrap();
    assert_eq!(edit.save().unwrap(), Edited::Changed);
}

/// A link that somebody put in the place of the sheet is not followed, neither to read nor to wipe.
#[test]
fn s96_links_are_not_followed() {
    let shop = Shop::new();
    fs::write(shop.path("victim"), "global:\n  A: stolen\n").unwrap();
    type Link = fn(&Path, &Path) -> std::io::Result<()>;
    let links: [Link; 2] = [|from, to| symlink(from, to), |from, to| fs::hard_link(from, to)];
    for link in links {
        let store = shop.store();
        let edit = EditSession::begin(&store, &places(&shop)).unwrap();
        fs::remove_file(edit.path()).unwrap();
        link(&shop.path("victim"), &edit.path()).unwrap();
        assert!(edit.save().is_err());
        drop(edit);
        assert_eq!(shop.read("victim"), "global:\n  A: stolen\n");
        assert_eq!(folders(&shop), 0);
    }
    // Nor are links to folders, whose files would be wiped.
    let store = shop.store();
    let edit = EditSession::begin(&store, &places(&shop)).unwrap();
    fs::create_dir(shop.path("others")).unwrap();
    fs::write(shop.path("others/file"), "untouched").unwrap();
    symlink(shop.path("others"), edit.folder().join("others")).unwrap();
    drop(edit);
    assert_eq!(shop.read("others/file"), "untouched");
    assert_eq!(folders(&shop), 0);
}

/// What a killed edit left is wiped by the next one; the folder of an edit that goes on is not.
#[test]
fn s96_leftovers_are_removed() {
    let shop = Shop::new();
    let left = shop.path("tooldock-edit-0123456789abcdef");
    fs::create_dir(&left).unwrap();
    fs::write(left.join("secrets.yaml"), "global:\n  A: x\n").unwrap();
    let other = Desk::new(&places(&shop)).unwrap();
    assert_eq!(folders(&shop), 2);
    let store = shop.store();
    let edit = EditSession::begin(&store, &places(&shop)).unwrap();
    assert!(!left.exists() && other.folder().exists());
    drop((edit, other));
    assert_eq!(folders(&shop), 0);
}

/// Plain text goes to memory, or nowhere.
#[test]
fn s96_a_disk_is_refused() {
    let shop = Shop::new();
    let store = shop.store();
    let error = EditSession::begin(&store, &Places::new(["/proc", "/nowhere"]))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("none of `/proc`, `/nowhere`") && error.contains("--allow-disk"),
        "{error}"
    );
    assert!(
        EditSession::begin(&store, &Places::new(["/proc", "/dev/shm"])).is_ok()
            || !Path::new("/dev/shm").exists()
    );
}
