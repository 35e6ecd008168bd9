//! `list_tools`: the tools of a namespace and the files they are in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, NamespaceName, error::Result};

use super::{
    super::{Manager, names::Named},
    tool::{Effect, ManagementTool},
};

pub(super) struct ListTools;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    namespace: Named<NamespaceName>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Line {
    name: String,
    description: String,
    filename: String,
    /// Whether the core serves it; otherwise `reload_core`, or `doctor`.
    served: bool,
}

impl ManagementTool for ListTools {
    const NAME: &'static str = "list_tools";
    const DESCRIPTION: &'static str = "List the tools of a namespace: name, description, file, and whether the core serves them. Use it \
        before changing a namespace; then `get_tool_source` or `test_tool`.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Vec<Line>;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Vec<Line>> {
        let name = input.namespace.0;
        let files = manager.sources(&name).await?;
        // A core that is away, or has not loaded it yet, serves nothing of it.
        let served = manager.core.tools(&name).await.unwrap_or_default();
        let mut lines: Vec<Line> = served
            .iter()
            .map(|tool| Line {
                name: tool.tool.clone(),
                description: tool.description.clone().unwrap_or_default(),
                filename: tool.file.clone(),
                served: true,
            })
            .collect();
        let unknown = |file: &str| !served.iter().any(|tool| tool.file == file);
        for (file, source) in files.iter().filter(|(file, _)| unknown(file.as_str())) {
            let outline = manager.host.outline(source).await?;
            lines.extend(outline.tools.into_iter().map(|tool| Line {
                name: tool.name,
                description: tool.description.unwrap_or_default(),
                filename: file.to_string(),
                served: false,
            }));
        }
        Ok(lines)
    }
}
