//! A server that a registry lists: found, fetched, read, and written anew.

use std::fs;

use serde_json::{Value, json};
use tooldock_tests::{Forge, Route};

use super::{refusal, step, take};
use crate::archives::{npm_version, tarball};
use crate::clients::Client;
use crate::pair::Pair;

const SERVER: &str = r#"import { z } from "zod";
server.registerTool("upper", { description: "Write in capitals.", inputSchema: { text: z.string() } }, async ({ text }) => text.toUpperCase());
"#;
const CODE: &str = "from tooldock import tool\n\n@tool\ndef upper(text: str) -> str:\n    \"\"\"Write in capitals.\"\"\"\n    return text.upper()\n";

/// A registry with one server that can be used, and one that was deleted.
pub(crate) fn registry() -> Forge {
    let mut forge = Forge::start();
    let package = tarball(&[("dist/index.js", SERVER), ("package.json", "{}")]);
    let version = npm_version("1.2.3", &forge.address("/files/caps.tgz"), &package);
    forge.route("/npm/%40o%2Fcaps/1.2.3", Route::Json(version));
    forge.route("/files/caps.tgz", Route::Bytes(package));
    let row = |name: &str, status: &str| {
        json!({
            "server": {"name": name, "description": "Capitals.", "version": "1.2.3", "packages": [{"registryType": "npm",
                "identifier": "@o/caps", "version": "1.2.3", "environmentVariables": [{"name": "CAPS_TOKEN", "isSecret": true}]}]},
            "_meta": {"io.modelcontextprotocol.registry/official": {"status": status, "statusMessage": "moved on"}},
        })
    };
    let page = |rows: Vec<Value>| json!({"servers": rows, "metadata": {"count": rows.len()}});
    let (good, gone) = (
        row("io.example/caps", "active"),
        row("io.example/gone", "deleted"),
    );
    let query = "/registry/v0.1/servers?search=caps&version=latest&limit=30";
    forge.route(query, Route::Json(page(vec![good.clone()])));
    forge.route(
        "/registry/v0.1/servers/io.example%2Fcaps/versions/latest",
        Route::Json(good),
    );
    forge.route(
        "/registry/v0.1/servers/io.example%2Fgone/versions/latest",
        Route::Json(gone),
    );
    forge
}

fn flow(client: Client) {
    let forge = registry();
    let certificate = forge.certificate().display().to_string();
    let pair = Pair::start_with(&[
        ("OUTBOUND_ALLOWED_HOSTS", &forge.host()),
        ("OUTBOUND_CA_FILE", &certificate),
        ("MCP_REGISTRY_URL", &forge.address("/registry")),
        ("NPM_REGISTRY_URL", &forge.address("/npm")),
    ]);
    let install = |package: &str| json!({"package": package, "namespace": "caps"});
    let file = |path: &str| json!({"repo_url": "npm:@o/caps@1.2.3", "path": path});
    take(
        client,
        &pair,
        &[
            step(
                "search_registry",
                json!({"query": "caps"}),
                &[
                    (
                        "/servers/0",
                        json!({"name": "io.example/caps", "description": "Capitals.", "version": "1.2.3", "status": "active",
                    "package": "@o/caps", "package_type": "npm", "source_url": null}),
                    ),
                    ("/servers/1", json!(null)),
                ],
            ),
            step(
                "install_from_registry",
                install("io.example/caps"),
                &[
                    ("/repo_url", json!("npm:@o/caps@1.2.3")),
                    ("/tools_found/0/name", json!("upper")),
                    (
                        "/definition/mcpServers/caps",
                        json!({"command": "npx", "args": ["-y", "@o/caps@1.2.3"], "env": {"CAPS_TOKEN": "${CAPS_TOKEN}"}}),
                    ),
                ],
            ),
            refusal(
                "install_from_registry",
                install("io.example/gone"),
                "`io.example/gone` was deleted from the registry: moved on; choose another one",
            ),
            refusal(
                "install_from_registry",
                install("io.example/none"),
                "no server in the registry has the name or the package `io.example/none`; take one from `search_registry`",
            ),
            step(
                "read_repo_file",
                file("dist/index.js"),
                &[("/content", json!(SERVER))],
            ),
            refusal(
                "read_repo_file",
                file("../index.json"),
                "there is no file `../index.json`; take a path from `files` of the analysis",
            ),
            // Nothing was installed by that.
            step(
                "list_namespaces",
                json!({}),
                &[("/result/0/name", json!("shared")), ("/result/1", json!(null))],
            ),
        ],
    );
    assert!(
        !pair.tools().join("caps").exists(),
        "nothing is installed by a look at it"
    );
    take(
        client,
        &pair,
        &[
            step("create_namespace", json!({"name": "caps"}), &[]),
            step(
                "generate_tool",
                json!({"namespace": "caps", "filename": "caps.py", "code": CODE}),
                &[("/written", json!(true))],
            ),
            step(
                "reload_core",
                json!({}),
                &[("/workers_restarted", json!(["caps"]))],
            ),
            step(
                "test_tool",
                json!({"namespace": "caps", "tool_name": "upper", "input": {"text": "abc"}}),
                &[("/result/result", json!("ABC"))],
            ),
        ],
    );
    assert_eq!(
        fs::read_to_string(pair.tools().join("caps/caps.py")).unwrap(),
        CODE
    );
    let asked = forge.requests();
    let fetched = asked
        .iter()
        .filter(|one| one.ends_with("/files/caps.tgz"))
        .count();
    assert_eq!(fetched, 1, "a server that was deleted is not fetched: {asked:?}");
}

#[test]
fn the_python_client_installs_from_a_registry() {
    flow(Client::Python);
}

#[test]
fn the_typescript_client_installs_from_a_registry() {
    flow(Client::TypeScript);
}
