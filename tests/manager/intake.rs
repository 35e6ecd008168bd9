//! The tools for source code of others, against a forge and a registry on loopback.

use std::{collections::BTreeMap, fs, sync::Arc};

use serde_json::{Value, json};
use tempfile::TempDir;
use tooldock::{
    CallContext, Caller, EngineExt as _, NamespaceName, RawJson, StaticEngine,
    config::{ManagerSettings, Sources},
    manager::Manager,
};
use tooldock_tests::{Forge, Route};

use crate::archives::{npm_version, sha256, tarball};

const SERVER: &str = r#"
import { z } from "zod";
server.registerTool("list_issues", { description: "List issues", inputSchema: { owner: z.string() } }, async () => fetch("https://api.github.com/x", process.env.GITHUB_TOKEN));
"#;

/// A manager whose registries are a forge.
struct Shop {
    forge: Forge,
    engine: StaticEngine,
    data: TempDir,
}

impl Shop {
    fn open(change: &[(&str, &str)]) -> Self {
        let (forge, data) = (Forge::start(), tempfile::tempdir().unwrap());
        let mut settings: BTreeMap<String, String> = [
            ("BEARER_TOKEN", "core-token-0123456789".to_owned()),
            ("MANAGER_BEARER_TOKEN", "manager-token-0123456789".to_owned()),
            ("MANAGER_INTERNAL_TOKEN", "internal-token-0123456789".to_owned()),
            ("SECRETS_KEY", "a-key-that-is-long-enough".to_owned()),
            ("DATA_DIR", data.path().display().to_string()),
            ("OUTBOUND_ALLOWED_HOSTS", forge.host()),
            ("OUTBOUND_CA_FILE", forge.certificate().display().to_string()),
            ("MCP_REGISTRY_URL", forge.address("/registry")),
            ("NPM_REGISTRY_URL", forge.address("/npm")),
            ("PACKAGE_INDEX_URL", forge.address("/simple")),
            ("PATH", "/usr/local/bin:/usr/bin:/bin".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        settings.extend(
            change
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
        );
        let settings = ManagerSettings::read(&Sources::environment(&settings)).unwrap();
        let engine = Arc::new(Manager::new(settings)).engine();
        Self { forge, engine, data }
    }

    /// The result of a tool, or its error.
    async fn call(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        let cx = CallContext::new(Caller::local(), NamespaceName::system());
        let output = self
            .engine
            .call_tool(cx, tool, RawJson::from(arguments))
            .await
            .map_err(|error| error.to_string())?;
        Ok(output.structured.unwrap().parse().unwrap())
    }

    /// Lists one server in the registry, on a page by itself.
    fn list(&mut self, query: &str, server: &Value, status: &str) {
        let row = json!({"server": server, "_meta": {"io.modelcontextprotocol.registry/official": {"status": status, "statusMessage": "moved on"}}});
        let page = json!({"servers": [row], "metadata": {"count": 1}});
        self.forge.route(
            &format!("/registry/v0.1/servers?search={query}&version=latest&limit=30"),
            Route::Json(page),
        );
        let name = server["name"].as_str().unwrap().replace('/', "%2F");
        self.forge.route(
            &format!("/registry/v0.1/servers/{name}/versions/latest"),
            Route::Json(row),
        );
    }
}

#[tokio::test]
async fn a_repository_is_analyzed_and_its_files_are_read() {
    let shop = Shop::open(&[]);
    let address = shop.forge.repository(
        "server",
        &[
            ("src/index.ts", SERVER),
            (
                "package.json",
                r#"{"dependencies": {"@modelcontextprotocol/sdk": "1"}}"#,
            ),
        ],
    );
    let early = shop
        .call(
            "read_repo_file",
            json!({"repo_url": address, "path": "src/index.ts"}),
        )
        .await
        .unwrap_err();
    assert!(early.contains("was not analyzed yet"), "{early}");
    let analysis = shop
        .call(
            "install_from_repo",
            json!({"repo_url": address, "namespace": "github"}),
        )
        .await
        .unwrap();
    assert_eq!(analysis["tools_found"][0]["name"], "list_issues");
    assert_eq!(analysis["tools_found"][0]["parameters"][0]["name"], "owner");
    assert_eq!(
        (&analysis["language"], &analysis["framework"]),
        (&json!("typescript"), &json!("mcp-sdk"))
    );
    assert_eq!(
        (&analysis["secrets_needed"], &analysis["apis_called"]),
        (&json!(["GITHUB_TOKEN"]), &json!(["api.github.com"]))
    );
    assert_eq!(
        shop.call("analyze_repo", json!({"repo_url": address}))
            .await
            .unwrap()["tools_found"],
        analysis["tools_found"]
    );
    let file = shop
        .call(
            "read_repo_file",
            json!({"repo_url": address, "path": "src/index.ts"}),
        )
        .await
        .unwrap();
    assert_eq!(file["content"], SERVER);
    let kept: Vec<_> = fs::read_dir(shop.data.path().join("repositories"))
        .unwrap()
        .flatten()
        .collect();
    assert_eq!(kept.len(), 1, "one snapshot and no desk: {kept:?}");
    assert!(
        !shop.data.path().join("tools/github").exists(),
        "nothing was installed"
    );
}

#[tokio::test]
async fn s66_s68_hostile_arguments_are_refused_with_a_remedy() {
    let shop = Shop::open(&[]);
    for (address, words) in [
        ("ext::sh -c id", "visible ASCII"),
        ("file:///etc", "https://"),
        ("--upload-pack=id", "https://"),
        ("https://u:canary@x/y", "user or a password"),
        ("https://10.0.0.1/o/r", "OUTBOUND_ALLOWED_HOSTS"),
        ("https://localhost:1/o/r", "OUTBOUND_ALLOWED_HOSTS"),
        (
            "https://169.254.169.254/latest/meta-data",
            "OUTBOUND_ALLOWED_HOSTS",
        ),
    ] {
        let error = shop
            .call("analyze_repo", json!({"repo_url": address}))
            .await
            .unwrap_err();
        assert!(
            error.contains(words) && !error.contains("canary"),
            "{address}: {error}"
        );
    }
    for arguments in [
        json!({}),
        json!({"repo_url": 7}),
        json!({"repo_url": "https://a/b", "extra": 1}),
    ] {
        assert!(shop.call("analyze_repo", arguments).await.is_err());
    }
    let address = shop.forge.repository("server", &[("a.py", "x")]);
    shop.call("analyze_repo", json!({"repo_url": address}))
        .await
        .unwrap();
    for path in ["../index.json", "/etc/passwd", "a.py/", "./a.py", "", "contents"] {
        let error = shop
            .call("read_repo_file", json!({"repo_url": address, "path": path}))
            .await
            .unwrap_err();
        assert!(error.contains("there is no file"), "{path}: {error}");
    }
    let far = shop
        .call(
            "read_repo_file",
            json!({"repo_url": address, "path": "a.py", "offset": 9}),
        )
        .await
        .unwrap_err();
    assert!(far.contains("next_offset"), "{far}");
    let listed = Shop::open(&[("CLONE_ALLOWED_HOSTS", "git.example.org")]);
    let error = listed
        .call("analyze_repo", json!({"repo_url": address}))
        .await
        .unwrap_err();
    assert!(error.contains("CLONE_ALLOWED_HOSTS"), "{error}");
}

#[tokio::test]
async fn s76_a_server_of_npm_is_found_fetched_and_analyzed() {
    let mut shop = Shop::open(&[]);
    let content = tarball(&[("dist/index.js", SERVER), ("package.json", "{}")]);
    let described = npm_version("1.2.3", &shop.forge.address("/files/one.tgz"), &content);
    shop.forge
        .route("/npm/%40o%2Fone/1.2.3", Route::Json(described.clone()));
    shop.forge.route("/files/one.tgz", Route::Bytes(content));
    let server = json!({"name": "io.example/one", "description": "One\u{202e}.", "version": "1.2.3", "packages": [{"registryType": "npm", "identifier": "@o/one", "version": "1.2.3", "environmentVariables": [{"name": "TOKEN", "isSecret": true}]}]});
    shop.list("one", &server, "deprecated");
    let found = shop
        .call("search_registry", json!({"query": "one"}))
        .await
        .unwrap();
    assert_eq!(
        found["servers"][0],
        json!({"name": "io.example/one", "description": "One.", "version": "1.2.3", "status": "deprecated", "package": "@o/one", "package_type": "npm", "source_url": null})
    );
    for package in ["io.example/one", "@o/one"] {
        let analysis = shop
            .call(
                "install_from_registry",
                json!({"package": package, "namespace": "one"}),
            )
            .await
            .unwrap();
        assert_eq!(analysis["tools_found"][0]["name"], "list_issues");
        assert_eq!(
            (&analysis["status"], &analysis["status_message"]),
            (&json!("deprecated"), &json!("moved on"))
        );
        assert_eq!(
            analysis["definition"]["mcpServers"]["one"],
            json!({"command": "npx", "args": ["-y", "@o/one@1.2.3"], "env": {"TOKEN": "${TOKEN}"}})
        );
        assert_eq!(analysis["repo_url"], "npm:@o/one@1.2.3");
    }
    let file = shop
        .call(
            "read_repo_file",
            json!({"repo_url": "npm:@o/one@1.2.3", "path": "dist/index.js"}),
        )
        .await
        .unwrap();
    assert_eq!(file["content"], SERVER);
    shop.forge.route(
        "/files/one.tgz",
        Route::Bytes(tarball(&[("dist/index.js", "evil")])),
    );
    let error = shop
        .call(
            "install_from_registry",
            json!({"package": "@o/one", "namespace": "one"}),
        )
        .await
        .unwrap_err();
    assert!(error.contains("another digest"), "{error}");
}

#[tokio::test]
async fn a_server_whose_tools_lie_in_another_package_is_analyzed_with_it() {
    let mut shop = Shop::open(&[]);
    let manifest = r#"{"dependencies": {"@o/tools": "^2.0.1", "@o/gone": "1.0.0", "express": "4.0.0"}}"#;
    let importing =
        "import { tools } from '@o/tools';\ntools.forEach((tool) => server.registerTool(...tool));";
    let one = tarball(&[("dist/index.js", importing), ("package.json", manifest)]);
    let two = tarball(&[("dist/index.js", SERVER)]);
    for (name, version, content) in [("one", "1.2.3", one), ("tools", "2.0.1", two)] {
        let file = format!("/files/{name}.tgz");
        let described = npm_version(version, &shop.forge.address(&file), &content);
        let path = format!("/npm/%40o%2F{name}/{version}");
        shop.forge.route(&path, Route::Json(described));
        shop.forge.route(&file, Route::Bytes(content));
    }
    let package = json!({"registryType": "npm", "identifier": "@o/one", "version": "1.2.3"});
    let server = json!({"name": "io.example/one", "version": "1.2.3", "packages": [package]});
    shop.list("one", &server, "active");
    let arguments = json!({"package": "io.example/one", "namespace": "one"});
    let analysis = shop.call("install_from_registry", arguments).await.unwrap();
    let (tool, file) = (&analysis["tools_found"][0], "node_modules/@o/tools/dist/index.js");
    assert_eq!(
        (&tool["name"], &tool["file"]),
        (&json!("list_issues"), &json!(file))
    );
    let arguments = json!({"repo_url": "npm:@o/one@1.2.3", "path": file});
    assert_eq!(
        shop.call("read_repo_file", arguments).await.unwrap()["content"],
        SERVER
    );
}

#[tokio::test]
async fn s76_a_server_of_pypi_is_fetched_and_odd_ones_are_refused() {
    let mut shop = Shop::open(&[]);
    let content = tarball(&[("server.py", "@mcp.tool()\ndef add(a: int) -> int: ...\n")]);
    let sha256 = sha256(&content);
    let files = json!({"files": [{"filename": "my_server-2.0.tar.gz", "url": "../../files/two.tar.gz", "hashes": {"sha256": sha256}}]});
    shop.forge.route("/simple/my-server/", Route::Json(files));
    shop.forge.route("/files/two.tar.gz", Route::Bytes(content));
    shop.list("two", &json!({"name": "io.example/two", "packages": [{"registry_name": "pypi", "name": "My.Server", "version": "2.0"}]}), "active");
    let analysis = shop
        .call(
            "install_from_registry",
            json!({"package": "io.example/two", "namespace": "two"}),
        )
        .await
        .unwrap();
    assert_eq!(
        (&analysis["repo_url"], &analysis["tools_found"][0]["name"]),
        (&json!("pypi:My.Server@2.0"), &json!("add"))
    );
    shop.list(
        "gone",
        &json!({"name": "io.example/gone", "packages": [{"registryType": "npm", "identifier": "gone"}]}),
        "deleted",
    );
    shop.list("far", &json!({"name": "io.example/far", "remotes": [{"type": "streamable-http", "url": "https://far.example/mcp"}]}), "active");
    shop.list(
        "bad",
        &json!({"name": "io.example/bad", "repository": {"url": "ext::sh -c id"}}),
        "active",
    );
    for (package, words) in [
        ("io.example/gone", "was deleted from the registry: moved on"),
        ("io.example/far", "https://far.example/mcp"),
        ("io.example/bad", "is not cloned"),
        ("io.example/none", "search_registry"),
        ("../../x", "search_registry"),
    ] {
        let error = shop
            .call(
                "install_from_registry",
                json!({"package": package, "namespace": "x"}),
            )
            .await
            .unwrap_err();
        assert!(error.contains(words), "{package}: {error}");
    }
    shop.forge.route(
        "/registry/v0.1/servers?search=endless&version=latest&limit=30",
        Route::Endless,
    );
    let error = shop
        .call("search_registry", json!({"query": "endless"}))
        .await
        .unwrap_err();
    assert!(error.contains("larger than"), "{error}");
    shop.forge.route(
        "/registry/v0.1/servers?search=moved&version=latest&limit=30",
        Route::Location("https://127.0.0.1:9/".to_owned()),
    );
    let error = shop
        .call("search_registry", json!({"query": "moved"}))
        .await
        .unwrap_err();
    assert!(error.contains("302"), "{error}");
}

#[tokio::test]
async fn s77_tools_that_only_fetch_say_so() {
    let shop = Shop::open(&[]);
    let cx = CallContext::new(Caller::local(), NamespaceName::system());
    for tool in shop.engine.list_tools(&cx).await.unwrap() {
        let hints: Value = tool.annotations.as_ref().unwrap().parse().unwrap();
        match tool.name.as_str() {
            "analyze_repo" | "install_from_repo" | "install_from_registry" | "search_registry" => {
                assert_eq!(
                    (&hints["readOnlyHint"], &hints["openWorldHint"]),
                    (&json!(true), &json!(true)),
                    "{}",
                    tool.name
                );
            }
            "read_repo_file" => assert_eq!(
                (&hints["readOnlyHint"], &hints["openWorldHint"]),
                (&json!(true), &json!(false))
            ),
            "generate_tool" | "delete_tool" | "delete_namespace" | "remove_secret" | "write_tool" => {
                assert_eq!(hints["destructiveHint"], true, "{}", tool.name);
            }
            _ => {}
        }
    }
}
