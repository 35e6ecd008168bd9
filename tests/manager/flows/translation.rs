//! A repository with a server in TypeScript becomes a namespace, in the ten steps from `analyze_repo` to `prepare_secret`.

use std::fs;
use std::path::Path;

use serde_json::json;
use tooldock_tests::Forge;

use super::{failure, refusal, step, take, text};
use crate::clients::Client;
use crate::pair::Pair;

const PACKAGE: &str = include_str!("../../fixtures/translation/server/package.json");
const INDEX: &str = include_str!("../../fixtures/translation/server/src/index.ts");
const TOOLS: &str = include_str!("../../fixtures/translation/server/src/tools/ini.ts");

const UNTYPED: &str = include_str!("../../fixtures/translation/untyped.py");
const READ: &str = include_str!("../../fixtures/translation/read.py");
const SIGN: &str = include_str!("../../fixtures/translation/sign.py");
/// HMAC-SHA256 of `hello` with the key `key-of-a-person`.
const SIGNATURE: &str = "b33ff31548a445439d49ce39a4de75620312ffe9650b5ab41fe5e66e8a17f5b5";

fn flow(client: Client) {
    let forge = Forge::start();
    let repository = forge.repository(
        "ini",
        &[
            ("package.json", PACKAGE),
            ("src/index.ts", INDEX),
            ("src/tools/ini.ts", TOOLS),
        ],
    );
    let certificate = forge.certificate().display().to_string();
    let pair = Pair::start_with(&[
        ("OUTBOUND_ALLOWED_HOSTS", &forge.host()),
        ("OUTBOUND_CA_FILE", &certificate),
    ]);
    let ini = json!({"namespace": "ini"});
    let read = |path: &str| json!({"repo_url": repository, "path": path});
    let write = |file: &str, code: &str| json!({"namespace": "ini", "filename": file, "code": code});
    let signed = json!({"namespace": "ini", "filename": "sign.py", "code": SIGN, "secrets": ["SIGNING_KEY"]});
    let test = |tool: &str, input| json!({"namespace": "ini", "tool_name": tool, "input": input});
    let sample = json!({"text": "[server]\nname = forge\n", "section": "server"});
    let seen = take(
        client,
        &pair,
        &[
            step(
                "analyze_repo",
                json!({"repo_url": repository}),
                &[
                    ("/language", json!("typescript")),
                    ("/framework", json!("mcp-sdk")),
                    ("/dependencies/ini", json!("^5.0.0")),
                    ("/apis_called", json!(["audit.acme.dev"])),
                    ("/secrets_needed", json!(["SIGNING_KEY"])),
                    ("/tools_found/0/name", json!("read_value")),
                    ("/tools_found/0/file", json!("src/tools/ini.ts")),
                    (
                        "/tools_found/0/description",
                        json!("Read a value of an INI text."),
                    ),
                    (
                        "/tools_found/0/parameters/0",
                        json!({"name": "text", "required": true, "schema": {"type": "string", "description": "The text."}}),
                    ),
                    (
                        "/tools_found/0/parameters/2",
                        json!({"name": "key", "required": false, "schema": {"type": "string", "default": "name"}}),
                    ),
                    ("/tools_found/1/name", json!("sign")),
                    ("/tools_found/2", json!(null)),
                ],
            ),
            step(
                "read_repo_file",
                read("src/index.ts"),
                &[("/content", json!(INDEX))],
            ),
            step(
                "read_repo_file",
                read("src/tools/ini.ts"),
                &[("/content", json!(TOOLS))],
            ),
            refusal(
                "read_repo_file",
                read("src/tools/other.ts"),
                "there is no file `src/tools/other.ts`; take a path from `files` of the analysis",
            ),
            step(
                "create_namespace",
                json!({"name": "ini"}),
                &[("/created", json!(true))],
            ),
            step(
                "add_requirement",
                json!({"namespace": "ini", "package": "iniconfig==2.0.0"}),
                &[("/package", json!("iniconfig==2.0.0"))],
            ),
            failure(
                "write_tool",
                write("sign.py", UNTYPED),
                &[
                    ("/written", json!(false)),
                    ("/error", json!("`sign`: the parameter `text` has no type")),
                    (
                        "/details",
                        json!([
                            "line 5: `sign`: the parameter `text` has no type; write `text: str`, for example"
                        ]),
                    ),
                ],
            ),
            step(
                "write_tool",
                write("read.py", READ),
                &[("/tools_found", json!(["read_value"]))],
            ),
            step("generate_tool", signed, &[("/tools_found", json!(["sign"]))]),
            step(
                "install_requirements",
                ini.clone(),
                &[("/packages", json!(["iniconfig==2.0.0"]))],
            ),
            step(
                "reload_core",
                json!({}),
                &[("/workers_restarted", json!(["ini"]))],
            ),
            step(
                "test_tool",
                test("read_value", sample),
                &[("/result/result", json!("forge"))],
            ),
            failure(
                "test_tool",
                test("sign", json!({"text": "hello"})),
                &[
                    ("/success", json!(false)),
                    (
                        "/error",
                        json!(
                            "dependency_error: the secret `SIGNING_KEY` is not set; set the secret `SIGNING_KEY` for namespace `ini`, then reload"
                        ),
                    ),
                ],
            ),
            step(
                "check_secrets",
                ini.clone(),
                &[("/missing", json!(["SIGNING_KEY"]))],
            ),
            step(
                "prepare_secret",
                json!({"key": "SIGNING_KEY"}),
                &[("/scope", json!("global"))],
            ),
            step(
                "check_secrets",
                ini.clone(),
                &[("/placeholders", json!(["SIGNING_KEY"]))],
            ),
        ],
    );
    let folder = pair.tools().join("ini");
    let on_disk = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
    assert_eq!(
        (on_disk("read.py"), on_disk("sign.py")),
        (READ.to_owned(), SIGN.to_owned())
    );
    assert_eq!(on_disk("requirements.txt"), "iniconfig==2.0.0\n");
    assert_eq!(on_disk("tooldock.yaml"), "secrets: [SIGNING_KEY]\n");
    assert_eq!(
        files_of_others(pair.data()),
        Vec::<String>::new(),
        "the repository was checked out"
    );

    let run = text(&seen[14], "/instructions")
        .rsplit_once(": ")
        .unwrap()
        .1
        .trim_end_matches(')');
    let told = pair.person(run, "key-of-a-person");
    assert_eq!(
        told,
        "SIGNING_KEY (global) is stored; a running gateway sees that at its next reload."
    );
    take(
        client,
        &pair,
        &[
            step(
                "reload_core",
                json!({}),
                &[
                    ("/failed", json!(null)),
                    ("/workers_restarted", json!(["ini", "shared"])),
                ],
            ),
            step(
                "check_secrets",
                ini.clone(),
                &[("/satisfied", json!(["SIGNING_KEY"]))],
            ),
            step(
                "test_tool",
                test("sign", json!({"text": "hello"})),
                &[("/result/result", json!(SIGNATURE))],
            ),
            step(
                "delete_namespace",
                json!({"name": "ini"}),
                &[("/deleted", json!(true))],
            ),
            step("reload_core", json!({}), &[("/namespaces", json!(["shared"]))]),
            step(
                "list_namespaces",
                json!({}),
                &[("/result/0/name", json!("shared")), ("/result/1", json!(null))],
            ),
        ],
    );
    assert!(!folder.exists());
}

/// Files whose names are those of the repository, wherever they lie.
fn files_of_others(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap().flatten() {
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() && entry.path().extension().is_some_and(|ending| ending == "ts") {
                all.push(entry.path().display().to_string());
            }
        }
    }
    all
}

#[test]
fn the_python_client_translates_a_repository() {
    flow(Client::Python);
}

#[test]
fn the_typescript_client_translates_a_repository() {
    flow(Client::TypeScript);
}
