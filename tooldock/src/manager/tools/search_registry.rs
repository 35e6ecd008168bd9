//! `search_registry`: servers that others have published.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tooldock_engine::{CallContext, error::Result};

use super::{
    super::{
        Manager,
        intake::refused,
        registry::{Server, Status},
    },
    tool::{Effect, ManagementTool},
};

pub(super) struct SearchRegistry;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// A part of the name, such as `github`.
    #[schemars(length(min = 1, max = 200))]
    query: String,
    /// `next_cursor` of the page before.
    #[serde(default)]
    cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    servers: Vec<Line>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Line {
    name: String,
    description: String,
    version: String,
    status: Status,
    package: Option<String>,
    package_type: Option<String>,
    source_url: Option<String>,
}

impl From<Server> for Line {
    fn from(server: Server) -> Self {
        let package = server.readable().or(server.packages.first()).cloned();
        let (package_type, package) = package.map(|package| (package.kind, package.identifier)).unzip();
        Self {
            name: server.name,
            description: server.description,
            version: server.version,
            status: server.status,
            package,
            package_type,
            source_url: server.source_url,
        }
    }
}

impl ManagementTool for SearchRegistry {
    const NAME: &'static str = "search_registry";
    const DESCRIPTION: &'static str = "Search the registry of published MCP servers by name. Use it when the user wants a server for \
        something; the texts are their authors' own claims. Then `install_from_registry` with the `name` of one.";
    const EFFECT: Effect = Effect::Fetches;
    const LIMIT: Duration = Duration::from_secs(60);
    type Input = Input;
    type Output = Output;

    async fn run(manager: &Manager, _cx: &CallContext, input: Input) -> Result<Output> {
        let listing = manager
            .intake
            .directory
            .search(&input.query, input.cursor.as_deref())
            .await
            .map_err(refused)?;
        Ok(Output {
            servers: listing.servers.into_iter().map(Line::from).collect(),
            next_cursor: listing.next,
        })
    }
}
