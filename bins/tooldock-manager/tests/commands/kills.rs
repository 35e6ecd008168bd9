//! Whatever writes is killed at random instants.

use std::{
    fs,
    io::Write as _,
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};
use tooldock_secrets::{
    Desk, Key, Keys, Store,
    testing::{QUICK, WRITERS, Writer, beside, seen},
};

use crate::shop::{KEY, Shop, stale};

const NEXT: &str = "next-manager-key-2c81f07e";
/// Tells a child of the tests which writer it is.
const WRITER: &str = "TOOLDOCK_TEST_WRITER";

#[expect(
    clippy::disallowed_methods,
    reason = "this is how the test entry and these tests hand things to tests"
)]
fn handed_over(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The store as both keys open it. Children that another thread starts have what is open here for a moment, so the lock is waited for.
fn store(folder: &Path) -> Store {
    let [key, next] = [KEY, NEXT].map(|text| Key::new(text.as_bytes().to_vec()).unwrap());
    Store::new(folder, Keys::new(next).with_previous(key))
        .with_kdf(QUICK)
        .with_wait(Duration::from_secs(10))
}

/// Starts a writer: the program, or for what no command does a child that is this very test program.
fn start(shop: &Shop, writer: &Writer) -> Child {
    let mut command = match writer.words {
        Some(words) => shop.manager(words),
        None => {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", "kills::every_writer_changes_something"]);
            command.env(WRITER, writer.name).current_dir(shop.folder());
            command
        }
    };
    let mut child = command
        .env(
            "EDITOR",
            shop.editor(&format!("printf '{}' > \"$1\"", writer.text)),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    // One that takes nothing may be gone already.
    child.stdin.take().unwrap().write_all(writer.text.as_bytes()).ok();
    child
}

/// Kills a writer again and again, spread over the time that it takes, in an order without a rule. Each time the folder shows what it
/// showed before or what the writer makes of it, the lock is free, and the writer can do its work afterwards.
fn is_killed(writer: &Writer) {
    let kills = handed_over("TOOLDOCK_KILLS").map_or(100, |text| text.parse().unwrap());
    let fresh = stale();
    let files = ["secrets.enc", "secrets.meta.yaml"].map(|name| (name, fs::read(fresh.path(name)).unwrap()));
    let before = seen(&store(fresh.folder())).unwrap();
    let restore = || {
        for (name, bytes) in &files {
            fs::write(fresh.path(name), bytes).unwrap();
        }
        fs::remove_file(fresh.path(".env")).ok();
    };
    // What it takes and makes when nobody kills it. Others share the machine, so this is asked now and then.
    let whole = || {
        restore();
        let begin = Instant::now();
        assert!(start(&fresh, writer).wait().unwrap().success(), "{}", writer.name);
        (begin.elapsed(), seen(&store(fresh.folder())).unwrap())
    };
    let (mut usual, after) = whole();
    let (mut killed, mut old) = (0, 0);
    for round in 0..kills {
        if round % 10 == 9 {
            usual = whole().0;
        }
        restore();
        let mut child = start(&fresh, writer);
        let until = Instant::now() + usual * (round * 7919 % 1000) / 1000;
        while let Some(rest) = until.checked_duration_since(Instant::now()) {
            thread::park_timeout(rest);
        }
        // Its editor as well.
        kill_process_group(Pid::from_child(&child), Signal::KILL).ok();
        killed += u32::from(!child.wait().unwrap().success());
        let what = format!("{}, round {round}", writer.name);
        let now = seen(&store(fresh.folder())).expect(&what);
        assert!(now == before || now == after, "{what}: {now:?}");
        old += u32::from(now == before);
        let next = store(fresh.folder());
        next.lock().expect(&what).repair().expect(&what);
        Desk::sweep(&beside(&next));
        assert_eq!(seen(&next).expect(&what), now, "{what}");
        writer.run(&next).expect(&what);
        let mut names: Vec<_> = fs::read_dir(fresh.folder())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.retain(|name| name.contains(".new") || name.starts_with("tooldock-edit"));
        assert_eq!(names, [""; 0], "{what}");
    }
    let told = format!(
        "{}: {killed} of {kills} were killed in time, {old} before they wrote",
        writer.name
    );
    assert!(killed > kills / 4, "{told}");
    assert!(before == after || (1..kills).contains(&old), "{told}");
}

/// However a writer is killed, each file is the old or the new one, the lock is free, and the next command works.
#[test]
fn r07_writers_are_killed_at_random_instants() {
    thread::scope(|scope| {
        let all: Vec<_> = WRITERS
            .iter()
            .map(|writer| scope.spawn(|| is_killed(writer)))
            .collect();
        all.into_iter().for_each(|one| one.join().unwrap());
    });
}

/// What is killed has something to do. A child that is to be killed does it in the folder that it is started in.
#[test]
fn every_writer_changes_something() {
    if let Some(name) = handed_over(WRITER) {
        let writer = WRITERS.iter().find(|writer| writer.name == name).unwrap();
        writer.run(&store(Path::new("."))).unwrap();
        return;
    }
    for writer in WRITERS {
        let shop = stale();
        let files =
            || ["secrets.enc", "secrets.meta.yaml", ".env"].map(|name| fs::read(shop.path(name)).ok());
        let before = files();
        writer.run(&store(shop.folder())).unwrap();
        assert_ne!(files(), before, "{}", writer.name);
    }
}
