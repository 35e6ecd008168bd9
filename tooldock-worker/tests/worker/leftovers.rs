//! What a worker does not get from its parent, and does not leave behind.

use std::{fs, path::Path};

use serde_json::json;
use tooldock_engine::secret::Secrets;
use tooldock_worker::NamespaceOptions;

use crate::shop::{Quiet, Tools, call, host, serve, text};

const LEFT: &str = "
import os, resource
from tooldock import tool

@tool
def descriptors() -> list[str]:
    found = []
    for name in os.listdir('/proc/self/fd'):
        try:
            found.append(os.readlink(f'/proc/self/fd/{name}'))
        except OSError:
            pass
    return found

@tool
def limits() -> dict:
    mask = os.umask(0)
    os.umask(mask)
    return {'mask': mask, 'core': list(resource.getrlimit(resource.RLIMIT_CORE))}
";

/// S82: a descriptor that its parent leaks is not open in a worker; files are private and there are no core files.
#[tokio::test]
async fn s82_a_worker_starts_without_leftovers() {
    let leaked = tempfile::NamedTempFile::new().unwrap();
    // A duplicate is inherited by children, unlike the file itself.
    let _leak = rustix::io::dup(leaked.as_file()).unwrap();
    let (_tools, engine) = serve(LEFT).await;
    let output = call(&engine, "descriptors", json!({})).await.unwrap();
    let found = output.structured.unwrap();
    let path = leaked.path().to_str().unwrap();
    assert!(!found.as_str().contains(path), "{found}");
    assert!(found.as_str().contains("socket:"), "{found}");
    let output = call(&engine, "limits", json!({})).await.unwrap();
    assert_eq!(output.structured.unwrap().as_str(), r#"{"mask":63,"core":[0,0]}"#);
}

fn entries(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(entries(&entry.path()));
        }
        found.push(entry.file_name().into_string().unwrap());
    }
    found.sort();
    found
}

#[tokio::test]
async fn a_worker_writes_nothing_into_its_namespace() {
    let tools = Tools::with(&[
        (
            "demo/shop.py",
            "import multiprocessing\nimport _stock, parts.deep\nfrom tooldock import tool\n@tool\ndef count() -> int:\n    with multiprocessing.get_context('spawn').Pool(1) as pool:\n        return pool.apply(_stock.count) + parts.deep.ONE\n",
        ),
        ("demo/_stock.py", "def count():\n    return 41\n"),
        ("demo/parts/__init__.py", ""),
        ("demo/parts/deep.py", "ONE = 1\n"),
    ]);
    let before = entries(&tools.path("demo"));
    let engine = host()
        .start(
            &tools.only(),
            &NamespaceOptions::default(),
            Secrets::new(),
            &Quiet,
        )
        .await
        .unwrap();
    assert_eq!(text(&call(&engine, "count", json!({})).await.unwrap()), "42");
    assert_eq!(entries(&tools.path("demo")), before);
}
