//! `write_tool`: a tool file, checked without being run.

use std::{collections::BTreeMap, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tooldock_engine::{CallContext, NamespaceName, error::Result};
use tooldock_secrets::SecretName;
use tooldock_worker::{Outline, SourceProblem};

use super::{
    super::{
        Manager,
        core::{LoadProblem, Wish},
        declaration::declare,
        names::{Named, ToolFile},
        progress::Steps,
    },
    reload_core,
    tool::{Effect, ManagementTool},
};

pub(super) struct WriteTool;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    namespace: Named<NamespaceName>,
    /// Such as `issues.py`. A file of this name is replaced.
    filename: Named<ToolFile>,
    /// The complete Python source.
    code: String,
    /// Names of secrets that the code reads, such as `GITHUB_TOKEN`; declared in `tooldock.yaml`.
    #[serde(default)]
    secrets: Vec<Named<SecretName>>,
    /// Load it at once and tell what the core found.
    #[serde(default)]
    load: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    written: bool,
    filename: String,
    /// SHA-256 of what was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    tools_found: Vec<String>,
    /// The input schema of each tool.
    schemas: BTreeMap<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// One line for each problem, with its place and remedy.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    details: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loaded: Option<Loaded>,
}

/// What the core found in a file.
#[derive(Debug, Serialize, JsonSchema)]
struct Loaded {
    tools: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<LoadProblem>,
}

impl ManagementTool for WriteTool {
    const NAME: &'static str = "write_tool";
    const DESCRIPTION: &'static str = "Write a Python tool file into a namespace. Use it for new tools and for every change. It is checked first, without running it, and written only \
        if it is valid: UTF-8 and syntax, at least one function decorated with @tool, a type on every parameter, a docstring on every \
        tool. The answer has the schema that each tool will have, or each problem with line and remedy. Pattern:\n\n\
        from tooldock import tool\n\n@tool\nasync def my_tool(param: str, count: int = 10) -> dict:\n    \"\"\"What it does and when to \
        use it.\n\n    Args:\n        param: What it is for.\n        count: What it controls.\n    \"\"\"\n    return {\"result\": param}\n\n\
        Read secrets with os.environ[\"NAME\"] and name them in `secrets`. Then call `reload_core` and `test_tool`.";
    const EFFECT: Effect = Effect::Replaces;
    const LIMIT: Duration = Duration::from_secs(1800);
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, cx: &CallContext, input: Input) -> Result<Output> {
        let Input {
            namespace,
            filename,
            code,
            secrets,
            load,
        } = input;
        let (name, file) = (namespace.0, filename.0);
        let outline = manager.host.outline(&code).await?;
        if let Some(first) = outline.problems.first() {
            return Ok(refused(&file, &outline, first));
        }
        let digest: String = Sha256::digest(&code)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let (place, path) = (name.clone(), file.clone());
        manager
            .on_volume(move |volume| {
                let _lock = volume.lock()?;
                let place = volume.place(&place)?;
                declare(&place, &secrets)?;
                place.write(path.as_str(), &code)
            })
            .await?;
        let loaded = match load {
            true => Some(try_out(manager, cx, &name, &file).await),
            false => None,
        };
        Ok(Output {
            written: true,
            filename: file.to_string(),
            digest: Some(digest),
            tools_found: outline.tools.iter().map(|tool| tool.name.clone()).collect(),
            schemas: outline
                .tools
                .into_iter()
                .map(|tool| (tool.name, tool.input_schema))
                .collect(),
            error: None,
            details: Vec::new(),
            loaded,
        })
    }

    fn failed(output: &Output) -> bool {
        !output.written
            || output
                .loaded
                .as_ref()
                .is_some_and(|loaded| loaded.error.is_some() || !loaded.problems.is_empty())
    }
}

/// What is said of a file that was not written.
fn refused(file: &ToolFile, outline: &Outline, first: &SourceProblem) -> Output {
    Output {
        written: false,
        filename: file.to_string(),
        digest: None,
        tools_found: outline.tools.iter().map(|tool| tool.name.clone()).collect(),
        schemas: BTreeMap::new(),
        error: Some(first.problem.clone()),
        details: outline.problems.iter().map(ToString::to_string).collect(),
        loaded: None,
    }
}

/// Lets the core load the file in a worker of its namespace, which takes the place of the present one only if it is good.
async fn try_out(manager: &Manager, cx: &CallContext, name: &NamespaceName, file: &ToolFile) -> Loaded {
    let found = async {
        let report = manager.core.reload(&Wish::default(), &Steps::of(cx)).await?;
        let report = reload_core::Output::from(report);
        let state = manager.core.state().await?;
        let problems = state
            .namespace(name.as_str())
            .map(|namespace| namespace.errors.clone());
        let tools = manager.core.tools(name).await.unwrap_or_default();
        Ok((
            report.failure(name.as_str()).map(str::to_owned),
            problems.unwrap_or_default(),
            tools,
        ))
    };
    let (error, mut problems, tools) = found.await.unwrap_or_else(|error: tooldock_engine::EngineError| {
        (Some(error.to_string()), Vec::new(), Vec::new())
    });
    problems.retain(|problem| problem.file == file.as_str());
    let own = tools.into_iter().filter(|tool| tool.file == file.as_str());
    Loaded {
        tools: own.map(|tool| tool.tool).collect(),
        error,
        problems,
    }
}
