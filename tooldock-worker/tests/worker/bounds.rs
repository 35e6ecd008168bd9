//! What an installation may use of the machine.

use std::{fs, os::unix::fs::PermissionsExt as _, time::Duration};

use serde_json::json;
use tooldock_engine::{ErrorKind, secret::Secrets};
use tooldock_worker::{HostSettings, NamespaceOptions, WorkerHost};

use crate::{
    environments::{TOOL, environments},
    process::{lives, process, soon},
    shop::{Quiet, Tools, call, settings, text},
};

/// A stand-in for uv, to which the name of a package says how it is to misbehave.
const UV: &str = r#"#!/bin/sh
here="$(dirname "$0")"
case "$*" in
    --version) echo "uv 9.9.9"; exit 0;;
    *" venv "*) for last; do :; done; exec python3 -I -m venv --without-pip "$last";;
    *" compile "*) while [ $# -gt 1 ]; do [ "$1" = --output-file ] && lock="$2"; shift; done; cp "$1" "$lock"; exit 0;;
esac
for lock; do :; done
case "$(cat "$lock")" in
    *hangs*) sleep 600 & echo $! > "$here/left"; wait;;
    *fills-memory*) exec python3 -c 'bytearray(1 << 30)';;
    *has-a-huge-file*) exec head -c 100000000 /dev/zero > "$HOME/huge";;
    *has-many-files*) mkdir "$UV_CACHE_DIR/many"; for n in 1 2 3 4 5 6 7 8 9; do head -c 9000000 /dev/zero > "$UV_CACHE_DIR/many/$n"; done; exec sleep 600;;
esac
"#;

/// S72: an installation that hangs, or takes too much memory or disk, is stopped with all that it started. The old environment stays in use,
/// and the error names the setting.
#[tokio::test]
async fn s72_an_installation_is_bounded_in_time_memory_and_disk() {
    let (data, bin) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let uv = bin.path().join("uv");
    fs::write(&uv, UV).unwrap();
    fs::set_permissions(&uv, fs::Permissions::from_mode(0o755)).unwrap();
    fs::create_dir_all(data.path().join("cache/uv")).unwrap();
    let host = |time_limit| {
        let mut settings: HostSettings = settings(data.path());
        #[expect(
            clippy::disallowed_methods,
            reason = "the stand-in needs the search path of the machine"
        )]
        let path = format!("{}:{}", bin.path().display(), std::env::var("PATH").unwrap());
        settings.environment = [("PATH".to_owned(), path)].into_iter().collect();
        settings.installer.time_limit = time_limit;
        settings.installer.memory = 512 << 20;
        settings.installer.disk = 50 << 20;
        WorkerHost::new(settings)
    };
    let tools = Tools::with(&[("demo/t.py", TOOL), ("demo/requirements.txt", "behaves\n")]);
    let (quick, patient) = (host(Duration::from_secs(5)), host(Duration::from_secs(60)));
    let options = NamespaceOptions::default();
    let start = async |host: &WorkerHost| {
        let folder = tools.only();
        let started = host.start(&folder, &options, Secrets::new(), &Quiet);
        Box::pin(soon(started)).await
    };
    let engine = start(&patient).await.unwrap();
    let folder = data.path().join("venvs/demo");
    let before = environments(&folder);
    for (package, host, setting) in [
        ("hangs", &quick, "INSTALL_TIMEOUT_SECONDS"),
        ("fills-memory", &patient, "INSTALL_MEMORY_MB"),
        ("has-a-huge-file", &patient, "INSTALL_DISK_MB"),
        ("has-many-files", &patient, "INSTALL_DISK_MB"),
    ] {
        tools.write("demo/requirements.txt", package);
        let error = start(host).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Dependency, "{package}: {error}");
        assert!(error.message().contains(setting), "{package}: {error}");
        assert_eq!(environments(&folder), before, "{package} leaves nothing");
        assert_eq!(text(&call(&engine, "hi", json!({})).await.unwrap()), "hi");
    }
    let left = fs::read_to_string(bin.path().join("left")).unwrap();
    let left = process(left.trim().parse().unwrap());
    soon(crate::shop::until(|| !lives(left))).await;
}
