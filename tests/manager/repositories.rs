//! Repositories of others: cloned within limits, read as names and bytes, never run.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path, time::Duration};

use tempfile::TempDir;
use tooldock::{
    manager::repo::{Cloner, ClonerSettings, EntryKind, Limits, Snapshot, SourceError},
    outbound::{Guard, HostPort},
};
use tooldock_tests::{Forge, commit, eventually};

fn cloner(forge: &Forge, limits: Limits) -> Cloner {
    let mut settings = ClonerSettings::new(
        Guard::new([forge.host().parse().unwrap()]),
        "/usr/local/bin:/usr/bin:/bin".to_owned(),
    );
    settings.certificates = Some(forge.certificate());
    settings.limits = limits;
    Cloner::new(settings)
}

async fn clone(forge: &Forge, address: &str, limits: Limits) -> Result<(Snapshot, TempDir), SourceError> {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = cloner(forge, limits)
        .clone_into(&address.parse().unwrap(), folder.path())
        .await?;
    Ok((snapshot, folder))
}

#[tokio::test]
async fn s66_a_repository_is_read_and_nothing_of_it_is_checked_out() {
    let forge = Forge::start();
    let address = forge.repository(
        "server",
        &[("README.md", "# Server"), ("src/index.ts", "export {}")],
    );
    let (snapshot, folder) = clone(&forge, &address, Limits::default()).await.unwrap();
    assert_eq!(snapshot.read("src/index.ts").unwrap(), "export {}");
    assert_eq!(snapshot.entries().count(), 2);
    let mut left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    left.sort();
    assert_eq!(
        left,
        ["contents", "index.json"],
        "neither a clone nor a file of it stays"
    );
}

#[tokio::test]
async fn s67_links_submodules_and_odd_names_have_no_effect() {
    let forge = Forge::start();
    let module = b"[submodule \"x\"]\n\tpath = sub\n\turl = ext::sh -c id\n";
    let filter = b"* filter=evil diff=evil\n";
    let stream = commit([
        ("link", "120000", b"/etc/passwd".as_slice()),
        ("up", "120000", b"../../../etc"),
        ("sub", "160000", b"0123456789012345678901234567890123456789"),
        ("modules.txt", "100644", module),
        (".gitattributes", "100644", filter),
        ("README.md", "100644", b"one"),
        ("readme.md", "100644", b"two"),
        ("-option.py", "100755", b"x"),
        ("\"line\\nbreak.py\"", "100644", b"x"),
        ("\"\\377.py\"", "100644", b"x"),
        ("binary.bin", "100644", b"a\0b"),
    ]);
    let address = forge.import("hostile", &stream);
    let (snapshot, _folder) = clone(&forge, &address, Limits::default()).await.unwrap();
    let kinds: Vec<(&str, EntryKind)> = snapshot
        .entries()
        .map(|(path, entry)| (path, entry.kind))
        .collect();
    assert_eq!(
        kinds,
        [
            ("-option.py", EntryKind::Text),
            (".gitattributes", EntryKind::Text),
            ("README.md", EntryKind::Text),
            ("binary.bin", EntryKind::Binary),
            ("link", EntryKind::Link),
            ("modules.txt", EntryKind::Text),
            ("readme.md", EntryKind::Text),
            ("sub", EntryKind::Submodule),
            ("up", EntryKind::Link),
        ]
    );
    assert_eq!(snapshot.odd_names(), 2);
    assert_eq!(
        (
            snapshot.read("README.md").unwrap(),
            snapshot.read("readme.md").unwrap()
        ),
        ("one".to_owned(), "two".to_owned())
    );
    for (path, word) in [
        ("link", "link"),
        ("sub", "another repository"),
        ("binary.bin", "not text"),
    ] {
        assert!(
            snapshot.read(path).unwrap_err().to_string().contains(word),
            "{path}"
        );
    }
}

#[tokio::test]
async fn s67_a_huge_file_is_named_and_not_fetched() {
    let forge = Forge::start();
    let huge = vec![b'x'; 5 << 20];
    let address = forge.import(
        "huge",
        &commit([
            ("huge.py", "100644", huge.as_slice()),
            ("small.py", "100644", b"x"),
        ]),
    );
    let (snapshot, _folder) = clone(&forge, &address, Limits::default()).await.unwrap();
    let kinds: Vec<EntryKind> = snapshot.entries().map(|(_, entry)| entry.kind).collect();
    assert_eq!(kinds, [EntryKind::Large, EntryKind::Text]);
}

#[tokio::test]
async fn s67_size_number_and_time_are_bounded() {
    let forge = Forge::start();
    let names: Vec<String> = (0..40).map(|number| format!("f{number}.py")).collect();
    // What differs from file to file does not compress away.
    let noise = |seed: usize| {
        (0..20_000)
            .map(|at| u8::try_from((at * at * 31 + seed * 7919 + at / 3) % 251 + 1).unwrap())
            .collect::<Vec<u8>>()
    };
    let contents: Vec<Vec<u8>> = (0..40).map(noise).collect();
    let files = names
        .iter()
        .zip(&contents)
        .map(|(name, content)| (name.as_str(), "100644", content.as_slice()));
    let address = forge.import("many", &commit(files));
    let mut few = Limits::default();
    few.entries = 39;
    let mut small = Limits::default();
    small.total_bytes = 100_000;
    let mut short = Limits::default();
    short.time = Duration::from_millis(1);
    for (limits, setting) in [
        (few, "CLONE_MAX_FILES"),
        (small, "CLONE_MAX_MB"),
        (short, "CLONE_TIMEOUT_SECONDS"),
    ] {
        let error = clone(&forge, &address, limits).await.unwrap_err();
        assert!(error.to_string().contains(setting), "{error}");
    }
    assert!(clone(&forge, &address, Limits::default()).await.is_ok());
    // What is no text is not kept, and is fetched all the same.
    let binary: Vec<u8> = noise(99).into_iter().chain([0]).collect();
    let address = forge.import(
        "binary",
        &commit([("a.bin", "100644", [b"\0", &*binary].concat().as_slice())]),
    );
    let mut small = Limits::default();
    small.total_bytes = 1000;
    let error = clone(&forge, &address, small).await.unwrap_err();
    assert!(error.to_string().contains("CLONE_MAX_MB"), "{error}");
}

#[tokio::test]
async fn s67_what_git_leaves_behind_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let desk = folder.path().join("desk");
    fs::create_dir(&desk).unwrap();
    let script = "#!/bin/sh\n(trap '' TERM; exec sleep 600) &\necho $! > \"$HOME/../child\"\necho broken >&2\nexit 1\n";
    let path = program(folder.path(), script);
    let mut settings = ClonerSettings::new(Guard::new([HostPort::new("127.0.0.1", 9)]), path);
    settings.limits.time = Duration::from_secs(20);
    let address = "https://127.0.0.1:9/o/r".parse().unwrap();
    let error = Cloner::new(settings)
        .clone_into(&address, &desk)
        .await
        .unwrap_err();
    assert!(error.to_string().ends_with("broken"), "{error}");
    ended(folder.path());
}

#[tokio::test]
async fn s66_git_is_told_to_go_nowhere_else() {
    let mut forge = Forge::start();
    let real = forge.repository("real", &[("a", "a")]);
    let port = forge.host();
    for target in [
        format!("https://{port}/git/real/info/refs?service=git-upload-pack"),
        "http://127.0.0.1:9/".to_owned(),
        "file:///etc/passwd".to_owned(),
    ] {
        forge.route(
            "/moved/info/refs?service=git-upload-pack",
            tooldock_tests::Route::Location(target),
        );
        let error = clone(&forge, &forge.address("/moved"), Limits::default())
            .await
            .unwrap_err();
        assert!(matches!(error, SourceError::Git(_)), "{error}");
    }
    assert!(clone(&forge, &real, Limits::default()).await.is_ok());
    let missing = clone(&forge, &forge.address("/git/none"), Limits::default())
        .await
        .unwrap_err();
    assert!(matches!(missing, SourceError::Git(_)), "{missing}");
}

#[tokio::test]
async fn s66_hosts_are_refused_before_git_runs() {
    let forge = Forge::start();
    let address = forge.repository("server", &[("a", "a")]).parse().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let guarded = |guard| ClonerSettings::new(guard, "/usr/local/bin:/usr/bin:/bin".to_owned());
    let error = Cloner::new(guarded(Guard::new([])))
        .clone_into(&address, folder.path())
        .await
        .unwrap_err();
    assert!(error.to_string().contains("OUTBOUND_ALLOWED_HOSTS"), "{error}");
    let mut listed = guarded(Guard::new([forge.host().parse().unwrap()]));
    listed.hosts = vec![HostPort::new("git.example.org", 443)];
    let error = Cloner::new(listed)
        .clone_into(&address, folder.path())
        .await
        .unwrap_err();
    assert!(error.to_string().contains("CLONE_ALLOWED_HOSTS"), "{error}");
    assert!(
        forge.requests().is_empty(),
        "nobody asked: {:?}",
        forge.requests()
    );
}

/// A `git` that writes down what it is given, then runs something that outlives it.
fn trap(folder: &Path) -> String {
    let script = "#!/bin/sh\nenv > \"$HOME/../environment\"\nprintf '%s\\n' \"$@\" > \"$HOME/../arguments\"\n\
                  (trap '' TERM; exec sleep 600) &\necho $! > \"$HOME/../child\"\nwait\n";
    program(folder, script)
}

/// Where `git` is a script.
fn program(folder: &Path, script: &str) -> String {
    let git = folder.join("git");
    fs::write(&git, script).unwrap();
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:/usr/bin:/bin", folder.display())
}

/// Waits for the end of what the script left behind.
fn ended(folder: &Path) {
    let child = fs::read_to_string(folder.join("child")).unwrap();
    let gone = || match fs::read_to_string(format!("/proc/{}/stat", child.trim())) {
        Ok(stat) => stat.contains(") Z ").then_some(()),
        Err(_) => Some(()),
    };
    eventually("the child of git ends", Duration::from_secs(5), gone);
}

#[tokio::test]
async fn s66_s67_git_starts_clean_and_ends_with_all_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let desk = folder.path().join("desk");
    fs::create_dir(&desk).unwrap();
    let mut settings = ClonerSettings::new(Guard::new([HostPort::new("127.0.0.1", 9)]), trap(folder.path()));
    settings.limits.time = Duration::from_millis(600);
    let address = "https://127.0.0.1:9/o/r".parse().unwrap();
    let error = Cloner::new(settings)
        .clone_into(&address, &desk)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("CLONE_TIMEOUT_SECONDS"), "{error}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let arguments = read("arguments");
    let all: Vec<&str> = arguments.lines().collect();
    let position = |wanted: &str| all.iter().position(|argument| *argument == wanted);
    assert_eq!(
        position("--"),
        position("https://127.0.0.1:9/o/r").map(|at| at - 1),
        "the address stands behind the options: {all:?}"
    );
    for rule in [
        "protocol.allow=never",
        "core.hooksPath=/dev/null",
        "credential.helper=",
        "http.followRedirects=false",
        "transfer.fsckObjects=true",
        "http.curloptResolve=127.0.0.1:9:127.0.0.1",
        "--depth=1",
        "--single-branch",
        "--no-tags",
        "--bare",
        "--template=",
    ] {
        assert!(position(rule).is_some(), "{rule} is missing: {all:?}");
    }
    let environment = read("environment");
    let mut names: Vec<&str> = environment
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, _)| name)
        .collect();
    names.retain(|name| {
        !name.starts_with("GIT_") && !matches!(*name, "PATH" | "HOME" | "PWD" | "SHLVL" | "_" | "OLDPWD")
    });
    names.sort_unstable();
    assert_eq!(names, ["LC_ALL", "SSH_ASKPASS"]);
    assert!(
        environment.contains("GIT_CONFIG_GLOBAL=/dev/null") && environment.contains("GIT_TERMINAL_PROMPT=0")
    );
    ended(folder.path());
}
