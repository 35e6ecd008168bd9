//! Paths that count from the current folder.

use std::path::{Component, Path, PathBuf};

use serde_json::json;
use tooldock_worker::{NamespaceOptions, ToolsFolder, WorkerHost};

use crate::{
    environments::TOOL,
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
