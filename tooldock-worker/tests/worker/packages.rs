//! Where the packages of a namespace come from, and under which rules.

use std::{
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde_json::json;
use tempfile::TempDir;
use tooldock_engine::{EngineError, secret::Secrets};
use tooldock_worker::{HostSettings, NamespaceOptions, WorkerEngine, WorkerHost};

use crate::{
    environments::{environments, offline, wheel},
    shop::{Quiet, Tools, call, text},
};

const SOURCE: &str = "import good_package\nfrom tooldock import tool\n@tool\ndef word() -> str:\n    return good_package.word\n";

/// A data folder whose only index is a folder of wheels.
struct Index {
    data: TempDir,
    wheels: TempDir,
}

impl Index {
    fn new() -> Self {
        let (data, wheels) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        wheel(
            wheels.path(),
            "pydantic",
            "2.99",
            "VERSION = '2.99'\nraise ImportError('stand-in')",
        );
        for version in ["1.0", "2.0", "3.0", "4.0"] {
            wheel(
                wheels.path(),
                "good_package",
                version,
                &format!("word = 'version {version}'"),
            );
        }
        Self { data, wheels }
    }

    fn settings(&self) -> HostSettings {
        let mut settings = offline(self.data.path());
        settings.installer.find_links = Some(self.wheels.path().to_owned());
        settings
    }

    /// The same with the real uv as the installer, and where that is.
    fn settings_with_uv(&self) -> (PathBuf, HostSettings) {
        let Some(uv) = uv() else {
            panic!("this test needs `uv` on PATH or in TOOLDOCK_UV");
        };
        let mut settings = self.settings();
        let path = format!("{}:{}", uv.parent().unwrap().display(), search_path());
        settings.environment = [("PATH".to_owned(), path)].into_iter().collect();
        (uv, settings)
    }

    /// The same wheels as a page of an index, which tells their hashes.
    fn simple(&self) -> String {
        let page = self.data.path().join("index/good-package");
        fs::create_dir_all(&page).unwrap();
        let link = |version| {
            let file = format!("good_package-{version}-py3-none-any.whl");
            fs::copy(self.wheels.path().join(&file), page.join(&file)).unwrap();
            let hash = self.hash(version);
            format!("<a href=\"{file}#sha256={hash}\">{file}</a>\n")
        };
        let links: String = ["1.0", "2.0"].map(link).concat();
        fs::write(page.join("index.html"), links).unwrap();
        format!("file://{}", self.data.path().join("index").display())
    }

    /// A line of a lock.
    fn pinned(&self, version: &str) -> String {
        let hash = self.hash(version);
        format!("good-package=={version} \\\n    --hash=sha256:{hash}\n")
    }

    fn hash(&self, version: &str) -> String {
        let file = self
            .wheels
            .path()
            .join(format!("good_package-{version}-py3-none-any.whl"));
        let sum = std::process::Command::new("sha256sum")
            .arg(file)
            .output()
            .unwrap()
            .stdout;
        String::from_utf8(sum).unwrap()[..64].to_owned()
    }
}

async fn start(host: &WorkerHost, tools: &Tools) -> Result<WorkerEngine, EngineError> {
    host.start(
        &tools.only(),
        &NamespaceOptions::default(),
        Secrets::new(),
        &Quiet,
    )
    .await
}

async fn word(engine: &WorkerEngine) -> String {
    text(&call(engine, "word", json!({})).await.unwrap())
}

#[tokio::test]
async fn s69_with_required_hashes_nothing_unpinned_is_installed() {
    let index = Index::new();
    let mut settings = index.settings();
    settings.installer.require_hashes = true;
    let host = WorkerHost::new(settings);
    let tools = Tools::with(&[("demo/t.py", SOURCE), ("demo/requirements.txt", "good_package\n")]);
    let error = start(&host, &tools).await.unwrap_err();
    for part in ["`demo`", "REQUIRE_HASHES", "`requirements.lock`"] {
        assert!(error.message().contains(part), "{error}");
    }

    tools.write("demo/requirements.lock", &index.pinned("1.0"));
    let engine = start(&host, &tools).await.unwrap();
    assert_eq!(word(&engine).await, "version 1.0");
    assert_eq!(
        engine.report().runtime.validator,
        "builtin",
        "the lock names no other"
    );

    let wrong = index.pinned("2.0").replace("==2.0", "==1.0");
    tools.write("demo/requirements.lock", &wrong);
    let error = start(&host, &tools).await.unwrap_err();
    assert!(
        error.message().contains("good-package") && error.message().contains("requirements.lock"),
        "{error}"
    );

    // What needs no packages runs, and nothing was fetched for it.
    let plain = Tools::with(&[("plain/t.py", crate::environments::TOOL)]);
    let engine = start(&host, &plain).await.unwrap();
    assert_eq!(engine.report().runtime.validator, "builtin");
}

#[tokio::test]
async fn s69_s70_a_lock_holds_pinned_packages_of_the_index_only() {
    let hash = format!("--hash=sha256:{}", "a".repeat(64));
    for (line, told) in [
        (format!("a>=1 {hash}"), "names no one version"),
        (format!("a==1.* {hash}"), "names no one version"),
        (format!("a==1,>0 {hash}"), "names no one version"),
        (format!("a<2,==1 {hash}"), "names no one version"),
        (format!("a!=2,==1 {hash}"), "names no one version"),
        ("# a \\\nb==1".to_owned(), "has no hash"),
        (format!("a==1 {}", "\\\n".repeat(1 << 19)), "has no hash"),
        ("a==1".to_owned(), "has no hash"),
        ("a==1 --hash=md5:00".to_owned(), "no `sha256:`"),
        (format!("a==1 {hash} --index-url=x"), "no `sha256:`"),
        (format!("--index-url https://x\na==1 {hash}"), "is an option"),
        (format!("a @ https://x/a.whl {hash}"), "is an address"),
        (format!("./a==1 {hash}"), "is a path"),
        (format!("a==1 \\\n -r x {hash}"), "is"),
    ] {
        let tools = Tools::with(&[("demo/t.py", SOURCE), ("demo/requirements.lock", &line)]);
        let problem = tools.only().problem.expect("the lock is refused");
        assert!(
            problem.starts_with("`requirements.lock`: line ") && problem.contains(told),
            "{line}: {problem}"
        );
    }
}

#[tokio::test]
async fn a_tool_file_may_say_itself_what_it_needs() {
    let index = Index::new();
    let host = WorkerHost::new(index.settings());
    let block = "# /// script\n# dependencies = [\"good_package==1.0\"]\n# ///\n";
    let tools = Tools::with(&[("demo/t.py", &format!("{block}{SOURCE}"))]);
    let before = tools.only().digest;
    assert_eq!(word(&start(&host, &tools).await.unwrap()).await, "version 1.0");
    tools.write("demo/t.py", &format!("{}{SOURCE}", block.replace("1.0", "2.0")));
    assert_ne!(tools.only().digest, before);
    assert_eq!(word(&start(&host, &tools).await.unwrap()).await, "version 2.0");

    tools.write(
        "demo/t.py",
        &format!("{}{SOURCE}", block.replace("==1.0", " @ https://x")),
    );
    let problem = tools.only().problem.unwrap();
    assert!(
        problem.starts_with("`t.py`: its script block") && problem.contains("is an address"),
        "{problem}"
    );
}

/// The project of uv; the stand-in of `uv` elsewhere cannot tell whether the real one writes what is read here.
#[tokio::test]
async fn a_project_is_installed_from_its_lock() {
    let index = Index::new();
    let (uv, settings) = index.settings_with_uv();
    let host = WorkerHost::new(settings);
    let project = "[project]\nname = \"demo\"\nversion = \"0\"\nrequires-python = \">=3.10\"\ndependencies = [\"good_package<3\"]\n";
    let tools = Tools::with(&[("demo/t.py", SOURCE), ("demo/pyproject.toml", project)]);
    let locked = std::process::Command::new(&uv)
        .args([
            "lock",
            "--no-config",
            "--default-index",
            &index.simple(),
            "--project",
        ])
        .arg(tools.path("demo"))
        .output()
        .unwrap();
    assert!(locked.status.success(), "{locked:?}");
    let engine = start(&host, &tools).await.unwrap();
    assert_eq!(word(&engine).await, "version 2.0");

    let lock = fs::read_to_string(tools.path("demo/uv.lock")).unwrap();
    let source = lock
        .lines()
        .find(|line| line.starts_with("source = { registry"))
        .unwrap();
    let evil = lock.replace(
        source,
        "source = { url = \"https://files.example/good_package-2.0-py3-none-any.whl\" }",
    );
    assert_ne!(evil, lock);
    tools.write("demo/uv.lock", &evil);
    let error = start(&host, &tools).await.unwrap_err();
    assert!(error.message().contains("uv.lock"), "{error}");
}

/// S80: no file of an environment is a second name of a file in the cache that all environments share, so that who can write the one does not
/// change the other.
#[tokio::test]
async fn s80_an_environment_shares_no_file_with_the_cache() {
    let index = Index::new();
    let host = WorkerHost::new(index.settings_with_uv().1);
    let tools = Tools::with(&[
        ("demo/t.py", SOURCE),
        ("demo/requirements.txt", "good_package==1.0\n"),
    ]);
    let engine = start(&host, &tools).await.unwrap();
    assert_eq!(word(&engine).await, "version 1.0");
    let names = files(&index.data.path().join("venvs/demo"))
        .into_iter()
        .map(|path| (path.metadata().unwrap().nlink(), path))
        .collect::<Vec<_>>();
    assert!(
        names.iter().any(|(_, path)| path.ends_with("good_package.py")),
        "{names:?}"
    );
    let shared: Vec<_> = names.iter().filter(|(names, _)| *names > 1).collect();
    assert!(shared.is_empty(), "{shared:?}");
}

/// The files below `folder`.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => found.extend(files(&entry.path())),
            kind if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
    found
}

/// What one namespace has had installed another one has from the cache: resolved, linked, checked, and its worker serves. The best of three
/// counts: the machine may be busy with something else meanwhile.
#[tokio::test]
async fn twenty_packages_that_another_namespace_has_take_less_than_two_seconds() {
    let index = Index::new();
    let module = format!("TEXT = '{}'", "x".repeat(100_000));
    let names: Vec<String> = (0..20).map(|number| format!("package_{number}")).collect();
    for name in &names {
        wheel(index.wheels.path(), name, "1.0", &module);
    }
    let host = WorkerHost::new(index.settings_with_uv().1);
    let requirements = names.join("\n");
    let tools = Tools::with(&[]);
    for namespace in ["a", "b", "c", "d"] {
        tools.write(&format!("{namespace}/t.py"), "import package_19\n");
        tools.write(&format!("{namespace}/requirements.txt"), &requirements);
    }
    let (mut folders, options) = (tools.scan().namespaces.into_iter(), NamespaceOptions::default());
    let mut begin = async || {
        let (folder, begin) = (folders.next().unwrap(), Instant::now());
        let engine = host
            .start(&folder, &options, Secrets::new(), &Quiet)
            .await
            .unwrap();
        assert!(engine.report().errors.is_empty(), "{:?}", engine.report().errors);
        begin.elapsed()
    };
    let first = begin().await;
    let others = [begin().await, begin().await, begin().await];
    assert!(
        others.iter().any(|took| *took < Duration::from_secs(2)),
        "{others:?}, after {first:?} for the first"
    );
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test stands where the gateway's configuration stands"
)]
fn uv() -> Option<PathBuf> {
    let given = std::env::var_os("TOOLDOCK_UV").map(PathBuf::from);
    let path = search_path();
    let found = std::env::split_paths(&path).map(|folder| folder.join("uv"));
    given.into_iter().chain(found).find(|path| path.is_file())
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test stands where the gateway's configuration stands"
)]
fn search_path() -> String {
    std::env::var("PATH").unwrap()
}

#[tokio::test]
async fn environments_that_nobody_uses_are_removed_but_for_the_newest() {
    let index = Index::new();
    let host = WorkerHost::new(index.settings());
    let tools = Tools::with(&[("demo/t.py", SOURCE)]);
    let mut engines = Vec::new();
    let folder = index.data.path().join("venvs/demo");
    for version in ["1.0", "2.0", "3.0"] {
        tools.write("demo/requirements.txt", &format!("good_package=={version}\n"));
        engines.push(start(&host, &tools).await.unwrap());
    }
    assert_eq!(environments(&folder).len(), 3, "all are in use");
    assert_eq!(word(&engines[0]).await, "version 1.0");
    let first = environment(&engines[0], &folder);
    drop(engines);
    tools.write("demo/requirements.txt", "good_package==4.0\n");
    let engine = start(&host, &tools).await.unwrap();
    assert_eq!(
        environments(&folder).len(),
        3,
        "the two newest of what was, and the one in use"
    );
    assert!(!environments(&folder).contains(&first), "the oldest went");
    assert_eq!(word(&engine).await, "version 4.0");
}

/// The name of the environment that a worker runs from.
fn environment(engine: &WorkerEngine, folder: &Path) -> String {
    let pid = engine.pid().expect("a worker runs");
    let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap();
    let program = String::from_utf8_lossy(command.split(|b| *b == 0).next().unwrap()).into_owned();
    let inside = Path::new(&program).strip_prefix(folder).unwrap();
    inside
        .components()
        .next()
        .unwrap()
        .as_os_str()
        .to_string_lossy()
        .into_owned()
}
