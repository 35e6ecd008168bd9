//! A machine that does not let the commands work: nothing is changed, nothing is left, and they say what to do.

use std::{
    collections::BTreeMap,
    fs::{self, Permissions},
    os::unix::{
        fs::{PermissionsExt as _, chown},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
    time::Duration,
};

use rustix::process::geteuid;
use tempfile::TempDir;
use tooldock_secrets::testing::WRITERS;

use crate::{
    edit::leftovers,
    shop::{KEY, Shop, err, stale},
};

/// Somebody to whom nothing else belongs.
const USER: u32 = 64_214;

/// The program where that user can start it, which is not so everywhere that programs are built.
static PROGRAM: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("tooldock-manager");
    fs::set_permissions(place.path(), Permissions::from_mode(0o755)).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_tooldock-manager"), &path).unwrap();
    (place, path)
});

/// What is in the way.
struct Trouble {
    name: &'static str,
    /// The command as it is run then.
    run: fn(&Shop, &str) -> Command,
    begin: fn(&Shop),
    end: fn(&Shop),
    /// What the error says: of the system, and of what to do.
    says: [&'static str; 2],
}

const TROUBLES: [Trouble; 3] = [
    Trouble {
        name: "no file may grow",
        run: |shop, words| {
            let manager = shop.manager(words);
            let mut command = Command::new("sh");
            command.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\""]);
            command.arg(manager.get_program()).args(manager.get_args());
            as_before(command, &manager)
        },
        begin: |_| {},
        end: |_| {},
        says: ["File too large", "`ulimit -f`"],
    },
    Trouble {
        name: "a folder that cannot be written",
        run: unprivileged,
        begin: |shop| {
            give(shop, USER);
            fs::set_permissions(shop.folder(), Permissions::from_mode(0o500)).unwrap();
        },
        end: |shop| {
            fs::set_permissions(shop.folder(), Permissions::from_mode(0o700)).unwrap();
            give(shop, geteuid().as_raw());
        },
        says: ["Permission denied", "to whom the folder belongs"],
    },
    Trouble {
        name: "a folder under the name that is written first",
        run: |shop, words| shop.manager(words),
        begin: |shop| {
            for name in IN_THE_WAY {
                fs::create_dir(shop.path(name)).unwrap();
            }
        },
        end: |shop| {
            for name in IN_THE_WAY {
                fs::remove_dir(shop.path(name)).unwrap();
            }
        },
        says: ["directory", "with `.new` behind it"],
    },
];
const IN_THE_WAY: [&str; 3] = ["secrets.enc.new", "secrets.meta.yaml.new", ".env.new"];

/// `command` in the environment and the folder of another one.
fn as_before(mut command: Command, other: &Command) -> Command {
    let set = other.get_envs().filter_map(|(name, value)| Some((name, value?)));
    command.env_clear().envs(set);
    command.current_dir(other.get_current_dir().unwrap());
    command
}

/// The program as a user who may not do everything.
fn unprivileged(shop: &Shop, words: &str) -> Command {
    let manager = shop.manager(words);
    let mut command = Command::new(&PROGRAM.1);
    command.args(manager.get_args());
    if geteuid().is_root() {
        command.uid(USER).gid(USER);
    }
    as_before(command, &manager)
}

/// Gives everything to a user, where that is allowed.
fn give(shop: &Shop, user: u32) {
    let files = fs::read_dir(shop.folder())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    for path in files.chain([shop.folder().to_owned()]) {
        if geteuid().is_root() {
            chown(path, Some(user), Some(user)).unwrap();
        }
    }
}

/// Names and contents.
fn files(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let content = |path: &Path| {
        let is_file = path.symlink_metadata().unwrap().is_file();
        is_file.then(|| fs::read(path).unwrap())
    };
    paths.map(|path| (path.clone(), content(&path))).collect()
}

/// Whatever is in the way of a command that writes: the old files are there and no others, the lock is free, the error names the trouble and
/// its remedy, and when that has been done the command works.
#[test]
fn r09_a_command_that_cannot_write_leaves_everything_as_it_was() {
    for trouble in &TROUBLES {
        for writer in &WRITERS {
            let words = match (writer.words, writer.name) {
                (Some(words), _) => words,
                (None, "rekey") => "secrets rekey",
                (None, _) => continue,
            };
            let shop = stale();
            let editor = shop.editor(&format!("printf '{}' > \"$1\"", writer.text));
            let what = format!("{}: {words}", trouble.name);
            let run = |start: fn(&Shop, &str) -> Command| {
                let mut command = start(&shop, words);
                command.env("EDITOR", &editor);
                shop.run_as(command, writer.text)
            };
            (trouble.begin)(&shop);
            let before = files(shop.folder());
            let output = run(trouble.run);
            let told = err(&output);
            assert_eq!(output.status.code(), Some(1), "{what}: {told}");
            let [happened, remedy] = trouble.says;
            // The sheet of an edit lies elsewhere.
            let sheet = told.contains("tooldock-edit-") && told.contains("nothing was changed");
            assert!(told.contains(happened), "{what}: {told}");
            assert!(sheet || told.contains(remedy), "{what}: {told}");
            assert!(files(shop.folder()) == before, "{what}: something has changed");
            assert_eq!(leftovers(&shop), 0, "{what}");
            (trouble.end)(&shop);
            assert!(shop.store().with_wait(Duration::ZERO).lock().is_ok(), "{what}");
            let output = run(|shop, words| shop.manager(words));
            assert!(output.status.success(), "{what}: {}", err(&output));
        }
    }
}

/// What the file of a key may be, and what is said of it otherwise. Nothing is asked for and nothing written before the key is known.
#[test]
fn s94_the_file_of_a_key_is_told_apart() {
    type Put = fn(&Path);
    let wrong_key = (1, "the key is not the one it was written with");
    let troubles: [(&str, Put, (i32, &str)); 12] = [
        ("as typed", |at| fs::write(at, KEY).unwrap(), (0, "")),
        (
            "a line of Windows",
            |at| fs::write(at, format!("{KEY}\r\n")).unwrap(),
            (0, ""),
        ),
        (
            "two line breaks",
            |at| fs::write(at, format!("{KEY}\n\n")).unwrap(),
            wrong_key,
        ),
        (
            "another key",
            |at| fs::write(at, "another-key-2c81f07e").unwrap(),
            wrong_key,
        ),
        (
            "empty",
            |at| fs::write(at, "").unwrap(),
            (78, "under 16 characters; make one with"),
        ),
        (
            "too short",
            |at| fs::write(at, "short").unwrap(),
            (78, "under 16 characters; make one with"),
        ),
        (
            "too long",
            |at| fs::write(at, KEY.repeat(300)).unwrap(),
            (78, "over 4096 bytes; is it the right file?"),
        ),
        (
            "endless",
            |at| std::os::unix::fs::symlink("/dev/zero", at).unwrap(),
            (78, "more than 64 KiB; name the right file"),
        ),
        (
            "a byte order mark",
            |at| fs::write(at, format!("\u{feff}{KEY}\n")).unwrap(),
            (78, "byte order mark, which is no part of a secret; save it"),
        ),
        (
            "UTF-16",
            |at| {
                let units = format!("\u{feff}{KEY}\r\n")
                    .encode_utf16()
                    .flat_map(u16::to_le_bytes)
                    .collect::<Vec<_>>();
                fs::write(at, units).unwrap();
            },
            (78, "save it as UTF-8"),
        ),
        (
            "a folder",
            |at| fs::create_dir(at).unwrap(),
            (
                78,
                "Is a directory (os error 21); name a file that this user may read",
            ),
        ),
        (
            "not for this user",
            |at| {
                fs::write(at, KEY).unwrap();
                fs::set_permissions(at, Permissions::from_mode(0o000)).unwrap();
            },
            (
                78,
                "Permission denied (os error 13); name a file that this user may read",
            ),
        ),
    ];
    for (name, put, (status, says)) in troubles {
        for words in [
            "secrets set A",
            "secrets unset OLD",
            "secrets edit --allow-disk",
            "secrets rekey",
        ] {
            let shop = stale();
            let editor = shop.editor("printf 'global:\\n  OLD: changed\\n' > \"$1\"");
            give(&shop, USER);
            fs::remove_file(shop.path("key")).unwrap();
            put(&shop.path("key"));
            let before = files(shop.folder());
            let mut command = unprivileged(&shop, words);
            command.env("EDITOR", editor);
            let output = shop.run_as(command, "a value");
            let told = err(&output);
            assert_eq!(output.status.code(), Some(status), "{name}: {words}: {told}");
            assert!(told.contains(says), "{name}: {words}: {told}");
            assert_eq!(files(shop.folder()) == before, status != 0, "{name}: {words}");
            assert_eq!(leftovers(&shop), 0, "{name}: {words}");
        }
    }
}
