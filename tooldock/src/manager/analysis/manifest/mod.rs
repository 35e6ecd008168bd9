//! What manifests say: packages a project needs, and variables it declares.

mod formats;

use std::collections::BTreeMap;

/// Dependencies, names of secrets and of other variables.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    pub(super) dependencies: BTreeMap<String, String>,
    pub(super) secrets: Vec<String>,
    pub(super) variables: Vec<String>,
}

/// Libraries that tools are declared with: a dependency, and what it is called.
#[rustfmt::skip]
const FRAMEWORKS: &[(&str, &str)] = &[
    ("fastmcp", "fastmcp"), ("fastapi-mcp", "fastapi-mcp"), ("mcp-framework", "mcp-framework"), ("xmcp", "xmcp"), ("mcp-handler",
    "mcp-handler"), ("@modelcontextprotocol/sdk", "mcp-sdk"), ("@modelcontextprotocol/server", "mcp-sdk"), ("mcp", "mcp-sdk"),
    ("github.com/mark3labs/mcp-go", "mcp-go"), ("github.com/modelcontextprotocol/go-sdk", "mcp-sdk"),
    ("github.com/metoro-io/mcp-golang", "mcp-golang"), ("rmcp", "rmcp"), ("rust-mcp-sdk", "rust-mcp-sdk"), ("pmcp", "pmcp"),
    ("ModelContextProtocol", "mcp-sdk"), ("ModelContextProtocol.AspNetCore", "mcp-sdk"), ("io.modelcontextprotocol.sdk", "mcp-sdk"),
    ("spring-ai-starter-mcp-server", "spring-ai"), ("quarkus-mcp-server", "quarkus"), ("mcp", "mcp-sdk"),
];

impl Manifest {
    /// The library that its tools are declared with.
    pub(super) fn framework(&self) -> Option<&'static str> {
        let has = |wanted: &str| {
            let is = |name: &String| {
                name == wanted || (name.starts_with(wanted) && wanted.contains("-mcp-server"))
            };
            self.dependencies.keys().any(is)
        };
        FRAMEWORKS
            .iter()
            .find(|(dependency, _)| has(dependency))
            .map(|(_, framework)| *framework)
    }

    /// Reads one file if it is a manifest; whether it is.
    pub(super) fn read(&mut self, path: &str, text: impl FnOnce() -> Option<String>) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let reader: fn(&mut Self, &str) = match name {
            "package.json" => Self::package_json,
            "pyproject.toml" => Self::pyproject,
            "METADATA" | "PKG-INFO" => Self::metadata,
            "go.mod" => Self::go_mod,
            "Cargo.toml" => Self::cargo,
            "pom.xml" => Self::pom,
            "build.gradle" | "build.gradle.kts" => Self::gradle,
            "server.json" => Self::server_json,
            _ if name.starts_with("requirements") && name.ends_with(".txt") => Self::requirements,
            _ if name.ends_with(".csproj") => Self::project,
            _ => return false,
        };
        if let Some(text) = text() {
            reader(self, &text);
        }
        true
    }

    fn need(&mut self, name: &str, version: &str) {
        if !name.is_empty() {
            self.dependencies
                .entry(name.to_owned())
                .or_insert_with(|| version.trim().to_owned());
        }
    }
}
