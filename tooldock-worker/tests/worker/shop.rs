//! What the tests share: one data folder with one base environment, folders of tools, contexts.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;
use tooldock_engine::{
    CallContext, Caller, EngineExt as _, NamespaceName, RawJson, ToolOutput, error::Result, request::CallTool,
};
use tooldock_worker::{
    Environment, HostSettings, NamespaceFolder, NamespaceOptions, Progress, ToolsFolder, WorkerEngine,
    WorkerHost,
};

use crate::process::soon;

/// Where the base environment is built once for all tests.
const DATA: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/worker-data");

pub(crate) fn data() -> &'static Path {
    Path::new(DATA)
}

/// Waits until `holds`; the caller sets the deadline.
pub(crate) async fn until(holds: impl Fn() -> bool) {
    while !holds() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

/// A host on the shared data folder.
pub(crate) fn host() -> WorkerHost {
    WorkerHost::new(settings(Path::new(DATA)))
}

pub(crate) fn settings(data: &Path) -> HostSettings {
    let mut settings = HostSettings::new(data);
    settings.environment = environment();
    // Tools of tests leave marks in their own folders, where the tests look for them.
    settings.sandbox.write.push(std::env::temp_dir());
    settings
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test stands where the gateway's configuration stands"
)]
pub(crate) fn environment() -> Environment {
    std::env::vars()
        .chain([("SECRETS_KEY".to_owned(), "of the gateway".to_owned())])
        .collect()
}

/// A folder of namespaces that goes away with the test.
pub(crate) struct Tools(TempDir);

impl Tools {
    /// A folder with these files, each given as `namespace/file` and its text.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let tools = Self(tempfile::tempdir().expect("a scratch folder"));
        for (path, text) in files {
            tools.write(path, text);
        }
        tools
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("has a folder")).expect("can be made");
        fs::write(path, text).expect("can be written");
    }

    pub(crate) fn scan(&self) -> tooldock_worker::Scan {
        ToolsFolder::subfolders(self.0.path())
            .scan()
            .expect("can be read")
    }

    /// The only namespace.
    pub(crate) fn only(&self) -> NamespaceFolder {
        let mut scan = self.scan();
        assert_eq!(scan.namespaces.len(), 1, "rejected: {:?}", scan.rejected);
        scan.namespaces.remove(0)
    }
}

/// Says nothing.
#[derive(Debug)]
pub(crate) struct Quiet;

impl Progress for Quiet {
    fn say(&self, _namespace: Option<&NamespaceName>, _text: &str) {}
}

/// The worker of one file, on the shared data folder.
pub(crate) async fn serve(source: &str) -> (Tools, WorkerEngine) {
    serve_by(&host(), source, &NamespaceOptions::default()).await
}

/// Several workers of one file, all of which serve.
pub(crate) async fn serve_many(source: &str, workers: usize) -> (Tools, WorkerEngine) {
    let mut options = NamespaceOptions::default();
    options.workers = workers;
    let (tools, engine) = serve_by(&host(), source, &options).await;
    soon(until(|| engine.pids().len() == workers)).await;
    (tools, engine)
}

/// The workers of one file, started as told.
pub(crate) async fn serve_by(
    host: &WorkerHost,
    source: &str,
    options: &NamespaceOptions,
) -> (Tools, WorkerEngine) {
    let tools = Tools::with(&[("demo/tools.py", source)]);
    let folder = tools.only();
    let engine = host.start(&folder, options, Default::default(), &Quiet);
    let engine = engine.await.expect("starts");
    (tools, engine)
}

pub(crate) fn cx() -> CallContext {
    CallContext::new(Caller::local(), "demo".parse().expect("a plain name"))
}

pub(crate) async fn call(
    engine: &WorkerEngine,
    tool: &str,
    arguments: serde_json::Value,
) -> Result<ToolOutput> {
    engine.call_tool(cx(), tool, RawJson::from(arguments)).await
}

/// The text of the first block.
pub(crate) fn text(output: &ToolOutput) -> String {
    let blocks: Vec<serde_json::Value> = output.content.parse().expect("an array");
    blocks[0]["text"].as_str().expect("a text block").to_owned()
}

/// A call without arguments.
pub(crate) fn call_frame(tool: &str) -> CallTool {
    CallTool {
        tool: tool.parse().expect("a plain name"),
        arguments: RawJson::empty_object(),
        answers: None,
    }
}
