//! Every tool with good, missing, wrong and hostile arguments; what is refused changes no file.

mod rows;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use tooldock_tests::{Answer, Http};

use self::rows::{CODE, good, hostile};
use crate::flows::registry;
use crate::pair::Pair;
use crate::programs::TOKEN;

/// What may change without a call: what the programs write about themselves.
const THEIRS: &[&str] = &["cache", "core.log", ".lock", "logs", "homes", "runtime"];

/// A value that a person has set.
const VALUE: &str = "canary/5b20:of.a.person";

/// The code of arguments that do not fit.
const ARGUMENTS: &[&str] = &["invalid_arguments"];

/// The digest of every file of a volume.
fn volume(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = entry.path().display().to_string();
            if THEIRS.contains(&&*name) || name.starts_with("manager") {
                continue;
            }
            match entry.file_type().unwrap() {
                kind if kind.is_dir() => {
                    all.insert(path, "a folder".to_owned());
                    open.push(entry.path());
                }
                kind if kind.is_file() => {
                    let digest = Sha256::digest(fs::read(entry.path()).unwrap());
                    all.insert(path, format!("{digest:x?}"));
                }
                _ => drop(all.insert(path, "something else".to_owned())),
            }
        }
    }
    all
}

/// A pair whose manager knows a registry and a repository, the tools as they are listed, and a call of each that works.
struct Bench {
    pair: Pair,
    http: Http,
    tools: Vec<Value>,
    good: Vec<(&'static str, Value)>,
    /// Calls that were not refused as they should be.
    amiss: RefCell<Vec<String>>,
    _forge: tooldock_tests::Forge,
}

impl Bench {
    fn new() -> Self {
        let forge = registry();
        let repository = forge.repository(
            "one",
            &[(
                "src/index.ts",
                &format!("server.tool(\"x\", \"{VALUE}\", () => 1);"),
            )],
        );
        let certificate = forge.certificate().display().to_string();
        let pair = Pair::start_with(&[
            ("OUTBOUND_ALLOWED_HOSTS", &forge.host()),
            ("OUTBOUND_CA_FILE", &certificate),
            ("MCP_REGISTRY_URL", &forge.address("/registry")),
            ("NPM_REGISTRY_URL", &forge.address("/npm")),
        ]);
        let tools = pair.request("tools/list", json!({}))["result"]["tools"].clone();
        Self {
            http: Http::new(pair.url().trim_end_matches("/mcp"), Some(TOKEN)),
            tools: tools.as_array().unwrap().clone(),
            good: good(&repository),
            amiss: RefCell::default(),
            _forge: forge,
            pair,
        }
    }

    fn call(&self, tool: &str, arguments: &Value) -> Answer {
        self.http.post(&format!("/_system/tools/{tool}"), arguments, &[])
    }

    /// A call that has to be refused with one of these codes and a text that holds `part`; what is amiss is noted.
    fn refuse(&self, tool: &str, arguments: &Value, codes: &[&str], part: &str) {
        let answer = self.call(tool, arguments);
        let code = answer.body["error"]["code"].as_str().unwrap_or_default();
        let told = answer.error();
        let odd =
            |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{200b}' | '\u{202e}' | '\u{feff}');
        let good = codes.contains(&code)
            && told.contains(part)
            && (1..2000).contains(&told.len())
            && !told.contains(odd);
        if !good {
            let shown: String = arguments.to_string().chars().take(200).collect();
            let told: String = answer.body.to_string().chars().take(500).collect();
            self.amiss.borrow_mut().push(format!("{tool} {shown}: {told:?}"));
        }
    }

    /// The arguments of a good call, and the properties that the tool takes.
    fn each(&self) -> impl Iterator<Item = (&str, &Map<String, Value>, &Value)> {
        self.tools.iter().map(|tool| {
            let name = tool["name"].as_str().unwrap();
            let (_, arguments) = self.good.iter().find(|(known, _)| *known == name).unwrap();
            (name, arguments.as_object().unwrap(), &tool["inputSchema"])
        })
    }
}

fn with(arguments: &Map<String, Value>, name: &str, value: Value) -> Value {
    let mut arguments = arguments.clone();
    arguments.insert(name.to_owned(), value);
    Value::Object(arguments)
}

/// The types that a schema names.
fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether a text is taken for what it is: a name of a package, or something to look for.
fn is_harmless(argument: &str, text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_. ".contains(c);
    matches!(argument, "package" | "packages")
        && !text.trim().is_empty()
        && !text.starts_with(['-', '.'])
        && text.chars().all(plain)
}

#[test]
fn f56_s54_s55_s68_s77_every_tool_refuses_what_is_wrong_and_touches_nothing() {
    let bench = Bench::new();
    let listed: BTreeSet<&str> = bench
        .tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    let known: BTreeSet<&str> = bench.good.iter().map(|(tool, _)| *tool).collect();
    assert_eq!(listed, known, "each tool has its row");
    let (last, others) = bench.good.split_last().unwrap();
    for (tool, arguments) in others {
        let answer = bench.call(tool, arguments);
        assert_eq!(answer.status, 200, "{tool}: {answer:?}");
    }
    let demo = bench.pair.tools().join("demo");
    assert_eq!(fs::read_to_string(demo.join("a.py")).unwrap(), CODE);
    let before = volume(bench.pair.data());
    for (tool, arguments, schema) in bench.each() {
        for required in schema["required"].as_array().into_iter().flatten() {
            let name = required.as_str().unwrap();
            let mut less = arguments.clone();
            less.remove(name);
            let told = format!(
                "the arguments of `{tool}` do not fit its input schema:\n- `arguments.{name}` is required and missing"
            );
            bench.refuse(tool, &Value::Object(less), ARGUMENTS, &told);
        }
        bench.refuse(tool, &with(arguments, "surplus", json!(1)), ARGUMENTS, "surplus");
        for whole in [json!([]), json!("x"), json!(7)] {
            bench.refuse(tool, &whole, &["invalid_arguments", "invalid_request"], "");
        }
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let wrong = match types(property).as_slice() {
                ["object"] => json!("x"),
                _ => json!({"a": [1]}),
            };
            bench.refuse(
                tool,
                &with(arguments, name, wrong),
                ARGUMENTS,
                &format!("arguments.{name}"),
            );
            for text in hostile().into_iter().filter(|text| !is_harmless(name, text)) {
                let value = match types(property).as_slice() {
                    ["array"] => json!([text]),
                    _ => json!(text),
                };
                bench.refuse(
                    tool,
                    &with(arguments, name, value),
                    &["invalid_arguments", "tool_error"],
                    "",
                );
            }
        }
    }
    let amiss = bench.amiss.take();
    assert!(
        amiss.is_empty(),
        "{} calls are amiss:\n{}",
        amiss.len(),
        amiss.join("\n")
    );
    let after = volume(bench.pair.data());
    let changed: Vec<_> = before
        .iter()
        .filter(|(path, digest)| after.get(*path) != Some(digest))
        .map(|(path, _)| path)
        .chain(after.keys().filter(|path| !before.contains_key(*path)))
        .collect();
    assert!(changed.is_empty(), "refused calls changed {changed:?}");
    let (tool, arguments) = last;
    assert_eq!(bench.call(tool, arguments).status, 200);
    assert!(!demo.exists());
}

/// A value that a person has set comes back from no tool, not from the source code of others either, and not from what a call was given.
#[test]
fn s75_a_value_comes_back_from_no_tool() {
    let bench = Bench::new();
    bench.pair.set_secret("OTHER_TOKEN", VALUE);
    let silent = |tool: &str, arguments: &Value| {
        let answer = bench.call(tool, arguments);
        assert!(!answer.body.to_string().contains(VALUE), "{tool}: {answer:?}");
        answer
    };
    for (tool, arguments) in &bench.good {
        assert_eq!(silent(tool, arguments).status, 200, "{tool}");
    }
    for (tool, arguments, schema) in bench.each() {
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            assert!(
                !["value", "secret", "password"].iter().any(|word| name == word),
                "{tool} takes `{name}`"
            );
            if property["type"] == "string" && property["enum"].is_null() {
                silent(tool, &with(arguments, name, json!(VALUE)));
            }
        }
    }
}
