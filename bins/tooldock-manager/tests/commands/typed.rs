//! Commands typed at a terminal. Each screen is a file beside this one.

use std::os::unix::fs::PermissionsExt as _;

use rustix::process::Signal;

use crate::{
    shop::{KEY, Shop, got},
    terminal::Terminal,
};

/// Compares a screen with the file of that name. Paths of this run are taken out first, and what a doctor wiped of others: the memory
/// in which values are edited is one for all tests, and some of them kill an edit.
fn compare(shop: &Shop, name: &str, shown: &str) {
    shop.saw(shown.as_bytes());
    let shown = shown.replace(&*shop.folder().to_string_lossy(), "DATA");
    let lines = shown.split_inclusive('\n');
    let shown: String = lines.filter(|line| !line.starts_with("Wiped what ")).collect();
    let path = format!("{}/tests/commands/screens/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(shown, expected, "the screen is not that in {path}");
}

/// The value is asked for and not shown, in the memory of the terminal neither.
#[test]
fn s95_a_value_is_typed_without_being_shown() {
    let shop = Shop::new();
    let mut terminal = Terminal::start(shop.manager("secrets set GITHUB_TOKEN"));
    terminal
        .expect("not shown: ")
        .send("wrong\x15ghp-cané\x7fary-é-1x\x7f\r");
    let (shown, status) = terminal.end();
    assert!(status.success(), "{shown}");
    compare(&shop, "set", &shown);
    assert_eq!(
        got(&shop, "global", "GITHUB_TOKEN").as_deref(),
        Some("ghp-canary-é-1")
    );
}

/// A long value is not cut where terminals cut lines.
#[test]
fn s95_a_long_value_can_be_pasted() {
    let shop = Shop::new();
    let value = "0123456789abcdef".repeat(600);
    let mut terminal = Terminal::start(shop.manager("secrets set LONG --scope slack"));
    terminal.expect("not shown: ");
    // In parts that a terminal takes at once.
    for part in value.as_bytes().chunks(512) {
        terminal.send(part);
    }
    let (shown, status) = {
        terminal.send("\r");
        terminal.end()
    };
    assert!(status.success(), "{shown}");
    compare(&shop, "set-unknown-namespace", &shown);
    assert_eq!(got(&shop, "slack", "LONG"), Some(value));
}

#[test]
fn s95_an_interrupted_question_changes_nothing() {
    let shop = Shop::new();
    let mut terminal = Terminal::start(shop.manager("secrets set GITHUB_TOKEN"));
    terminal.expect("not shown: ").send("half\x03");
    let (shown, status) = terminal.end();
    assert_eq!(status.code(), Some(1));
    compare(&shop, "set-interrupted", &shown);
    assert_eq!(got(&shop, "global", "GITHUB_TOKEN"), None);
}

/// Whatever else a person may type: the screen says what is wrong with it, nothing is stored, and nothing is left to the shell.
#[test]
fn s95_what_is_no_value_is_refused() {
    let long = format!("{}\r", "canary".repeat(11 << 10));
    for (typed, screen) in [
        (&b"\r"[..], "set-empty"),
        (b"canary\0\r", "set-nul"),
        (b"canary\xff\r", "set-no-text"),
        (b"\x04", "set-interrupted"),
        (b"canary-1\rcanary-2\r", "set-several-lines"),
        (long.as_bytes(), "set-too-long"),
    ] {
        let shop = Shop::new();
        let mut terminal = Terminal::start(shop.manager("secrets set GITHUB_TOKEN"));
        terminal.expect("not shown: ");
        for part in typed.chunks(512) {
            terminal.send(part);
        }
        let (shown, status) = terminal.end();
        assert_eq!(status.code(), Some(1), "{shown}");
        compare(&shop, screen, &shown);
        assert_eq!(got(&shop, "global", "GITHUB_TOKEN"), None);
    }
    // Two ends of one line are one.
    let shop = Shop::new();
    let mut terminal = Terminal::start(shop.manager("secrets set GITHUB_TOKEN"));
    terminal.expect("not shown: ").send("canary-1\r\n");
    assert!(terminal.end().1.success());
    assert_eq!(got(&shop, "global", "GITHUB_TOKEN").as_deref(), Some("canary-1"));
}

/// A signal during a question ends the command, and the terminal shows again what is typed.
#[test]
fn s95_a_signal_during_a_question_leaves_the_terminal_as_it_was() {
    for (signal, screen) in [
        (Signal::TERM, "set-terminated"),
        (Signal::HUP, "set-hung-up"),
        (Signal::INT, "set-interrupted-by-signal"),
    ] {
        let shop = Shop::new();
        let mut terminal = Terminal::start(shop.manager("secrets set GITHUB_TOKEN"));
        terminal.expect("not shown: ").send("half").signal(signal);
        let (shown, status) = terminal.end();
        assert_eq!(status.code(), Some(1), "{shown}");
        compare(&shop, screen, &shown);
        assert_eq!(got(&shop, "global", "GITHUB_TOKEN"), None);
    }
}

/// A wrong key is told before anybody types.
#[test]
fn a_wrong_key_is_told_first() {
    let shop = Shop::new();
    std::fs::write(shop.path("key"), "another-key-2c81f07e").unwrap();
    let (shown, status) = Terminal::start(shop.manager("secrets set GITHUB_TOKEN")).end();
    assert_eq!(status.code(), Some(1));
    compare(&shop, "wrong-key", &shown);
}

#[test]
fn s96_an_edit_is_stored() {
    let shop = Shop::new();
    let editor = shop.editor("printf 'global:\\n  A: canary-1\\n  WAITS:\\n' > \"$1\"");
    let mut command = shop.manager("secrets edit --allow-disk");
    let (shown, status) = Terminal::start({
        command.env("EDITOR", editor);
        command
    })
    .end();
    assert!(status.success(), "{shown}");
    compare(&shop, "edit", &shown);
    assert_eq!(got(&shop, "global", "A").as_deref(), Some("canary-1"));
}

/// A mistake can be corrected, or given up.
#[test]
fn s96_a_wrong_edit_can_be_corrected() {
    for (answer, screen, value) in [("y", "edit-again", Some("right-1")), ("n", "edit-given-up", None)] {
        let shop = Shop::new();
        let editor = shop.editor(
            "if grep -q wrong \"$1\"; then printf 'global:\\n  A: right-1\\n' > \"$1\"; else printf 'global:\\n  a: wrong-1\\n' > \"$1\"; fi",
        );
        let mut command = shop.manager("secrets edit --allow-disk");
        command.env("EDITOR", editor);
        let mut terminal = Terminal::start(command);
        terminal.expect("[Y/n] ").send(answer);
        let (shown, status) = terminal.end();
        assert_eq!(status.success(), value.is_some(), "{shown}");
        compare(&shop, screen, &shown);
        assert_eq!(got(&shop, "global", "A").as_deref(), value);
    }
}

/// Every other end of an edit.
#[test]
fn s96_every_end_of_an_edit_is_told() {
    for (editor, asked, screen) in [
        ("true", None, "edit-unchanged"),
        ("exit 3", None, "edit-failed"),
        ("rm \"$1\"", None, "edit-removed"),
        ("printf '\\377' > \"$1\"", Some(Signal::TERM), "edit-no-text"),
    ] {
        let shop = Shop::new();
        let mut command = shop.manager("secrets edit --allow-disk");
        command.env("EDITOR", shop.editor(editor));
        let mut terminal = Terminal::start(command);
        if let Some(signal) = asked {
            terminal.expect("[Y/n] ").signal(signal);
        }
        let (shown, status) = terminal.end();
        assert_eq!(status.success(), screen == "edit-unchanged", "{shown}");
        // The folder of an edit has a name of its own each time.
        let place = shown.split('`').find(|word| word.contains("tooldock-edit-"));
        let shown = place.map_or(shown.clone(), |place| shown.replace(place, "SHEET"));
        compare(&shop, screen, &shown);
    }
    let shop = Shop::new();
    let mut command = shop.manager("secrets edit --allow-disk");
    command.env("EDITOR", "no-such-editor --wait");
    compare(&shop, "edit-no-editor", &Terminal::start(command).end().0);
}

#[test]
fn what_needs_a_person_is_shown() {
    let shop = Shop::new();
    let mut keyless = shop.manager("secrets set A");
    keyless.env_remove("SECRETS_KEY_FILE");
    compare(&shop, "set-no-key", &Terminal::start(keyless).end().0);
    for (words, screen) in [
        ("keygen", "keygen"),
        ("keygen", "keygen-again"),
        ("secrets rekey", "rekey"),
        ("secrets list", "list-empty"),
        ("secrets set A --scope ../x", "set-wrong-scope"),
    ] {
        compare(&shop, screen, &Terminal::start(shop.manager(words)).end().0);
    }
    std::fs::write(shop.path("secrets.meta.yaml"), "global: [").unwrap();
    std::fs::set_permissions(shop.path("secrets.enc"), std::fs::Permissions::from_mode(0o644)).unwrap();
    compare(
        &shop,
        "doctor-repairs",
        &Terminal::start(shop.manager("secrets doctor")).end().0,
    );
}

#[test]
fn the_state_of_everything_is_shown() {
    let shop = Shop::new();
    std::fs::create_dir_all(shop.path("tools/slack")).unwrap();
    std::fs::create_dir_all(shop.path("tools/plain")).unwrap();
    std::fs::write(
        shop.path("tools/slack/tooldock.yaml"),
        "secrets: [BOT_TOKEN, GITHUB_TOKEN, WAITS]\n",
    )
    .unwrap();
    for folder in ["slack", "plain"] {
        std::fs::write(shop.path(&format!("tools/{folder}/tool.py")), "").unwrap();
    }
    shop.run("secrets set GITHUB_TOKEN", "canary-1");
    shop.run("secrets set BOT_TOKEN --scope slack", "canary-2");
    shop.store()
        .prepare("slack".parse().unwrap(), "WAITS".parse().unwrap())
        .unwrap();
    for (words, screen) in [
        ("secrets list", "list"),
        ("secrets list --scope slack", "list-scope"),
        ("secrets check", "check"),
        ("secrets check nowhere", "check-nowhere"),
        ("secrets doctor", "doctor"),
        ("secrets unset GITHUB_TOKEN", "unset"),
        ("secrets unset GITHUB_TOKEN", "unset-twice"),
        ("secrets set lower_case", "set-wrong-name"),
        ("secrets set LD_PRELOAD", "set-control-name"),
        ("secrets set A canary-3", "set-on-the-command-line"),
        ("secrets --help", "help"),
    ] {
        let (shown, _) = Terminal::start(shop.manager(words)).end();
        compare(&shop, screen, &shown);
        assert!(!shown.contains("canary") && !shown.contains(KEY), "{shown}");
    }
}
