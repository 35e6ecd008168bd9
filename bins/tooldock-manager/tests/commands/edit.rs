//! `secrets edit` with editors that misbehave, and signals.

use std::{fs, path::Path, process::Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::shop::{KEY, Shop, err, got};

/// A value that no other test has.
fn canary(shop: &Shop) -> String {
    format!("edit-canary-{}", shop.folder().file_name().unwrap().display())
}

/// Folders of edits in the places where this program puts them.
pub(crate) fn leftovers(shop: &Shop) -> usize {
    let places = [Path::new("/dev/shm"), shop.folder()]
        .into_iter()
        .filter_map(|place| fs::read_dir(place).ok());
    let ours = |path: &Path| {
        fs::read_to_string(path.join("secrets.yaml")).is_ok_and(|text| text.contains(&canary(shop)))
    };
    places
        .flatten()
        .flatten()
        .filter(|entry| ours(&entry.path()))
        .count()
}

/// An editor that fails changes nothing and leaves nothing.
#[test]
fn s96_a_failing_editor_leaves_nothing() {
    for script in [
        "exit 3",
        "kill -9 $$",
        "printf 'global: [edit-canary' > \"$1\"",
        "rm \"$1\"",
        "cp \"$1\" \"$1~\"; ln -s /etc/passwd \"$1.x\"; mv \"$1.x\" \"$1\"",
    ] {
        let shop = Shop::new();
        shop.run("secrets set A", &canary(&shop));
        let editor = shop.editor(script);
        let mut command = shop.manager("secrets edit --allow-disk");
        command.env("EDITOR", editor);
        let output = shop.run_as(command, "");
        assert_eq!(output.status.code(), Some(1), "{script}");
        assert!(!err(&output).contains("canary"), "{script}: {}", err(&output));
        assert_eq!(leftovers(&shop), 0, "{script}");
        assert_eq!(got(&shop, "global", "A"), Some(canary(&shop)), "{script}");
    }
}

/// Signals end the editor and the edit; the plain text is wiped, and the lock is free.
#[test]
fn s96_signals_wipe_the_plain_text() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let shop = Shop::new();
        shop.run("secrets set A", &canary(&shop));
        let editor = shop.editor(&format!(
            "echo ready > {}; exec sleep 60",
            shop.path("ready").display()
        ));
        let mut command = shop.manager("secrets edit --allow-disk");
        let child = command
            .env("EDITOR", editor)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        until(|| shop.path("ready").exists());
        assert_eq!(leftovers(&shop), 1);
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(err(&output).contains("nothing was changed"), "{}", err(&output));
        assert_eq!(
            (output.status.code(), leftovers(&shop)),
            (Some(1), 0),
            "{signal:?}"
        );
        assert!(shop.store().with_wait(std::time::Duration::ZERO).lock().is_ok());
    }
}

/// What a killed edit leaves is wiped by the next start.
#[test]
fn s96_a_killed_edit_is_wiped_by_the_next_one() {
    let shop = Shop::new();
    shop.run("secrets set A", &canary(&shop));
    let editor = shop.editor(&format!(
        "echo $$ > {}; exec sleep 60",
        shop.path("ready").display()
    ));
    let mut command = shop.manager("secrets edit --allow-disk");
    let mut child = command
        .env("EDITOR", editor)
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    until(|| fs::read_to_string(shop.path("ready")).is_ok_and(|text| text.ends_with('\n')));
    child.kill().unwrap();
    child.wait().unwrap();
    let sleeping: i32 = fs::read_to_string(shop.path("ready"))
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    kill_process(Pid::from_raw(sleeping).unwrap(), Signal::KILL).unwrap();
    assert_eq!(leftovers(&shop), 1);
    assert!(shop.run("secrets doctor", "").status.success());
    assert_eq!(leftovers(&shop), 0);
}

/// The editor is given neither keys nor tokens, and its temporary files lie with the sheet.
#[test]
fn s96_the_editor_is_given_no_key() {
    let shop = Shop::new();
    let editor = shop.editor(&format!(
        "env > {0}; ls -la \"$TMPDIR\" >> {0}",
        shop.path("seen").display()
    ));
    let mut command = shop.manager("secrets edit --allow-disk");
    command
        .env_remove("SECRETS_KEY_FILE")
        .env("SECRETS_KEY", KEY)
        .env("BEARER_TOKEN", "token-of-somebody")
        .env("EDITOR", editor);
    let output = shop.run_as(command, "");
    assert!(output.status.success(), "{}", err(&output));
    let seen = fs::read_to_string(shop.path("seen")).unwrap();
    assert!(
        !seen.contains(KEY) && !seen.contains("token-of-somebody"),
        "{seen}"
    );
    assert!(seen.contains("secrets.yaml"), "{seen}");
}

/// Names that steer programs come in by no way: neither one by one nor all at once.
#[test]
fn s61_no_command_stores_a_control_variable() {
    let shop = Shop::new();
    let editor = shop.editor("printf 'global:\\n  LD_PRELOAD: x.so\\n' > \"$1\"");
    let mut command = shop.manager("secrets edit --allow-disk");
    command.env("EDITOR", editor);
    for output in [
        shop.run("secrets set LD_PRELOAD", "x.so"),
        shop.run_as(command, ""),
    ] {
        let text = err(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("`LD_PRELOAD` steers programs"), "{text}");
    }
    assert_eq!(got(&shop, "global", "LD_PRELOAD"), None);
}

fn until(mut holds: impl FnMut() -> bool) {
    let begin = std::time::Instant::now();
    while !holds() {
        assert!(begin.elapsed().as_secs() < 20, "it did not happen within 20 s");
        std::thread::park_timeout(std::time::Duration::from_millis(2));
    }
}
