//! Paths that count from the current folder.

use std::path::{Component, Path, PathBuf};

use serde_json::json;
use tooldock_worker::{NamespaceOptions, ToolsFolder, WorkerHost};

use crate::{
    environments::{TOOL, offline, wheel},
    shop::{Quiet, Tools, call, data, settings, text},
};

/// The same place as an absolute path, named from the current folder.
fn relative(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap();
    let up = here
        .components()
        .filter(|part| matches!(part, Component::Normal(_)));
    let down = path
        .components()
        .filter(|part| matches!(part, Component::Normal(_)));
    up.map(|_| Component::ParentDir).chain(down).collect()
}

/// A worker runs in the folder of its namespace, where relative paths would mean something else.
#[tokio::test]
async fn relative_folders_and_a_relative_python_serve_as_well() {
    let path = "/usr/bin:/usr/local/bin:/bin";
    let python = path.split(':').map(|folder| Path::new(folder).join("python3"));
    let mut settings = settings(&relative(data()));
    settings.python = python
        .into_iter()
        .find(|program| program.is_file())
        .map(|program| relative(&program));
    let tools = Tools::with(&[("demo/t.py", TOOL)]);
    let folder = ToolsFolder::subfolders(relative(&tools.path("")));
    assert!(folder.root().is_absolute());
    let folder = folder.scan().unwrap().namespaces.remove(0);
    let host = WorkerHost::new(settings);
    let options = NamespaceOptions::default();
    let engine = host.start(&folder, &options, Default::default(), &Quiet);
    let engine = engine.await.unwrap();
    assert_eq!(text(&call(&engine, "hi", json!({})).await.unwrap()), "hi");
}

/// Spaces, quotes and letters of other alphabets in the paths of tools, data and packages, which installers and Python are given.
#[tokio::test]
async fn f49_paths_with_spaces_and_other_letters_serve() {
    let place = tempfile::Builder::new()
        .prefix("Größe & 'メモ' ")
        .tempdir()
        .unwrap();
    let [tools, data, wheels] =
        ["tools of ours", "data für alle", "räder"].map(|name| place.path().join(name));
    for (file, text) in [
        (
            "t.py",
            "import spoke\nfrom tooldock import tool\n@tool\ndef hi() -> str:\n    return spoke.word\n",
        ),
        ("requirements.txt", "spoke==1.0\n"),
    ] {
        std::fs::create_dir_all(tools.join("demo")).unwrap();
        std::fs::write(tools.join("demo").join(file), text).unwrap();
    }
    std::fs::create_dir(&wheels).unwrap();
    wheel(&wheels, "pydantic", "2.99", "raise ImportError('stand-in')");
    wheel(&wheels, "spoke", "1.0", "word = 'hi'");
    let mut settings = offline(&data);
    settings.installer.find_links = Some(wheels);
    let host = WorkerHost::new(settings);
    let folder = ToolsFolder::subfolders(&tools)
        .scan()
        .unwrap()
        .namespaces
        .remove(0);
    let options = NamespaceOptions::default();
    let engine = host.start(&folder, &options, Default::default(), &Quiet);
    let engine = engine.await.unwrap();
    assert_eq!(text(&call(&engine, "hi", json!({})).await.unwrap()), "hi");
}
