//! Environments: built aside, kept when a new one fails, repaired when damaged.

use std::{fs, path::Path, sync::Mutex, time::Duration};

use serde_json::json;
use tokio::time::timeout;
use tooldock_engine::{ErrorKind, NamespaceName, secret::Secrets};
use tooldock_worker::{HostSettings, NamespaceOptions, Progress, WorkerHost};

use crate::{
    process::soon,
    shop::{Quiet, Tools, call, settings, text},
};

pub(crate) const TOOL: &str = "from tooldock import tool\n@tool\ndef hi() -> str:\n    return 'hi'\n";

#[derive(Debug, Default)]
struct Heard(Mutex<Vec<String>>);

impl Progress for Heard {
    fn say(&self, namespace: Option<&NamespaceName>, text: &str) {
        let who = namespace.map_or("all", NamespaceName::as_str);
        self.0.lock().unwrap().push(format!("{who}: {text}"));
    }
}

/// Settings whose index is an empty folder, so that nothing can be installed from it.
pub(crate) fn offline(data: &Path) -> HostSettings {
    let mut settings = settings(data);
    let index = data.join("index");
    fs::create_dir_all(&index).unwrap();
    settings.installer.index_url = Some(format!("file://{}", index.display()));
    settings
}

/// A wheel made by hand: one module, no dependencies. `pydantic` is what the runtime asks for; a small stand-in will do.
pub(crate) fn wheel(folder: &Path, name: &str, version: &str, module: &str) {
    let script = "
import sys, zipfile, hashlib, base64
folder, name, version, module = sys.argv[1:]
info = f'{name}-{version}.dist-info'
files = {f'{name}.py': module, f'{info}/METADATA': f'Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n',
    f'{info}/WHEEL': 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n'}
record = ''.join(f'{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b\"=\").decode()},{len(text)}\\n' for path, text in files.items())
with zipfile.ZipFile(f'{folder}/{name}-{version}-py3-none-any.whl', 'w') as out:
    for path, text in files.items():
        out.writestr(path, text)
    out.writestr(f'{info}/RECORD', record + f'{info}/RECORD,,\\n')
";
    let made = std::process::Command::new("python3")
        .args(["-c", script])
        .arg(folder)
        .args([name, version, module])
        .status();
    assert!(made.unwrap().success());
}

#[tokio::test]
async fn without_an_index_the_builtin_validator_serves() {
    let data = tempfile::tempdir().unwrap();
    let mut settings = offline(data.path());
    let wheels = data.path().join("wheels");
    fs::create_dir(&wheels).unwrap();
    settings.installer.find_links = Some(wheels);
    let host = WorkerHost::new(settings);
    let heard = Heard::default();
    let tools = Tools::with(&[("demo/t.py", TOOL)]);
    let engine = host
        .start(
            &tools.only(),
            &NamespaceOptions::default(),
            Secrets::new(),
            &heard,
        )
        .await
        .unwrap();
    assert_eq!(text(&call(&engine, "hi", json!({})).await.unwrap()), "hi");
    assert_eq!(engine.report().runtime.validator, "builtin");
    let heard = heard.0.into_inner().unwrap().join("\n");
    assert!(
        heard.contains("installing pydantic>=2.12") && heard.contains("built-in validator"),
        "{heard}"
    );

    // Once the index is there, the next start has what was missing; a start after that builds nothing.
    let module = "VERSION = '2.99'\nraise ImportError('stand-in')";
    wheel(&data.path().join("wheels"), "pydantic", "2.99", module);
    let before = environments(&data.path().join("venvs/_base")).len();
    host.prepare(&Quiet).await.unwrap();
    let after = environments(&data.path().join("venvs/_base")).len();
    assert_eq!((before, after), (1, 2));
    let silence = Heard::default();
    host.prepare(&silence).await.unwrap();
    assert_eq!(*silence.0.lock().unwrap(), [""; 0], "it is full and stays so");
}

/// A namespace that waits for another process takes no place from those that could be built.
#[tokio::test]
async fn who_waits_for_another_process_keeps_nobody_waiting() {
    let data = tempfile::tempdir().unwrap();
    let wheels = data.path().join("wheels");
    fs::create_dir(&wheels).unwrap();
    wheel(&wheels, "pydantic", "2.99", "raise ImportError('stand-in')");
    wheel(&wheels, "good_package", "1.0", "");
    let mut settings = offline(data.path());
    settings.installer.find_links = Some(wheels);
    settings.installer.builds_at_once = 1;
    let host = WorkerHost::new(settings);
    let tools = Tools::with(&[
        ("free/t.py", TOOL),
        ("free/requirements.txt", "good_package\n"),
        ("locked/t.py", TOOL),
        ("locked/requirements.txt", "good_package\n"),
    ]);
    let folders = tools.scan().namespaces;
    let locked = data.path().join("venvs/locked");
    fs::create_dir_all(&locked).unwrap();
    let lock = fs::File::create(locked.join(".lock")).unwrap();
    lock.lock().unwrap();
    let options = NamespaceOptions::default();
    let start = |folder| host.start(folder, &options, Secrets::new(), &Quiet);
    let mut waiting = Box::pin(start(&folders[1]));
    timeout(Duration::from_secs(1), &mut waiting)
        .await
        .expect_err("another process holds the lock");
    soon(start(&folders[0])).await.unwrap();
    lock.unlock().unwrap();
    soon(waiting).await.unwrap();
}

#[tokio::test]
async fn s72_r27_f34_an_installation_that_fails_names_the_package_and_changes_nothing() {
    let data = tempfile::tempdir().unwrap();
    let wheels = tempfile::tempdir().unwrap();
    // Version 1 hides nothing: the runtime finds no pydantic it can use and takes its own validator.
    wheel(
        wheels.path(),
        "pydantic",
        "2.99",
        "VERSION = '2.99'\nraise ImportError('stand-in')",
    );
    wheel(wheels.path(), "good_package", "1.0", "word = 'from the package'");
    let mut settings = offline(data.path());
    settings.installer.find_links = Some(wheels.path().to_owned());
    let host = WorkerHost::new(settings);
    let source = "import good_package\nfrom tooldock import tool\n@tool\ndef word() -> str:\n    return good_package.word\n";
    let tools = Tools::with(&[
        ("demo/t.py", source),
        ("demo/requirements.txt", "Good.Package==1.0\n"),
    ]);
    let engine = host
        .start(
            &tools.only(),
            &NamespaceOptions::default(),
            Secrets::new(),
            &Quiet,
        )
        .await
        .unwrap();
    assert_eq!(
        text(&call(&engine, "word", json!({})).await.unwrap()),
        "from the package"
    );
    let folder = data.path().join("venvs/demo");
    let before = environments(&folder);
    assert_eq!(before.len(), 1);

    tools.write("demo/requirements.txt", "good-package\nno-such-package-at-all\n");
    let error = host
        .start(
            &tools.only(),
            &NamespaceOptions::default(),
            Secrets::new(),
            &Quiet,
        )
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Dependency);
    assert!(
        error.message().contains("`demo`") && error.message().contains("no-such-package-at-all"),
        "{error}"
    );
    assert_eq!(
        environments(&folder),
        before,
        "the old one stays and nothing half-built does"
    );
    assert_eq!(
        text(&call(&engine, "word", json!({})).await.unwrap()),
        "from the package"
    );

    // What an interrupted build leaves is cleared, and an environment without its mark is built again.
    fs::create_dir(folder.join(".build-old")).unwrap();
    fs::remove_file(folder.join(&before[0]).join(".ok")).unwrap();
    tools.write("demo/requirements.txt", "good_package==1.0\n");
    let again = host
        .start(
            &tools.only(),
            &NamespaceOptions::default(),
            Secrets::new(),
            &Quiet,
        )
        .await
        .unwrap();
    assert_eq!(
        text(&call(&again, "word", json!({})).await.unwrap()),
        "from the package"
    );
    assert_eq!(
        environments(&folder),
        before,
        "the same requirements are the same environment"
    );
}

/// R23: an environment without its mark, or whose interpreter is gone, is built again, once.
#[tokio::test]
async fn r23_a_damaged_environment_is_built_again_once() {
    let (data, wheels) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let stand_in = "VERSION = '2.99'\nraise ImportError('stand-in')";
    wheel(wheels.path(), "pydantic", "2.99", stand_in);
    wheel(wheels.path(), "good_package", "1.0", "word = 'from the package'");
    let mut settings = offline(data.path());
    settings.installer.find_links = Some(wheels.path().to_owned());
    let source = "import good_package\nfrom tooldock import tool\n@tool\ndef word() -> str:\n    return good_package.word\n";
    let tools = Tools::with(&[
        ("demo/t.py", source),
        ("demo/requirements.txt", "good_package==1.0\n"),
    ]);
    let folder = data.path().join("venvs/demo");
    // Serves from it, and tells when it was completed.
    let serve = async || {
        let host = WorkerHost::new(settings.clone());
        let options = NamespaceOptions::default();
        let engine = host.start(&tools.only(), &options, Secrets::new(), &Quiet).await;
        let output = call(&engine.unwrap(), "word", json!({})).await.unwrap();
        assert_eq!(text(&output), "from the package");
        let all = environments(&folder);
        assert_eq!(all.len(), 1, "{all:?}");
        let environment = folder.join(&all[0]);
        let mark = fs::metadata(environment.join(".ok")).unwrap();
        (mark.modified().unwrap(), environment)
    };
    let (mut last, environment) = serve().await;
    for damage in [".ok", "bin/python"] {
        let place = environment.join(damage);
        fs::remove_file(&place).unwrap();
        if damage == "bin/python" {
            std::os::unix::fs::symlink("/nowhere/python", place).unwrap();
        }
        let (built, _) = serve().await;
        assert_ne!(built, last, "{damage}: built again");
        assert_eq!(serve().await.0, built, "{damage}: once");
        last = built;
    }
}

/// Everything in an owner's folder but the lock.
pub(crate) fn environments(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names.filter(|name| name != ".lock").collect()
}

#[tokio::test]
async fn f49_a_python_that_is_none_is_an_error_that_says_what_to_set() {
    let data = tempfile::tempdir().unwrap();
    let mut wrong = settings(data.path());
    wrong.python = Some("/bin/false".into());
    let error = WorkerHost::new(wrong).prepare(&Quiet).await.unwrap_err();
    assert!(
        error.message().contains("`/bin/false`") && error.message().contains("the setting WORKER_PYTHON"),
        "{error}"
    );
    let mut none = settings(data.path());
    none.environment = [("PATH".to_owned(), "/nowhere".to_owned())].into_iter().collect();
    let error = WorkerHost::new(none).prepare(&Quiet).await.unwrap_err();
    assert!(
        error
            .message()
            .contains("no `python3` on PATH, which is `/nowhere`;")
            && error.message().contains("WORKER_PYTHON"),
        "{error}"
    );
}
