//! Tools in each language and library, and what is read of them.

mod made;
mod renamed;
mod tables;

use serde_json::{Value, json};

use super::{Analysis, Bounds, analyze};

/// Each tool as name, description and parameters: name to type, with `?` behind it when it may be left out.
fn check(path: &str, text: &str, expected: &Value) {
    let analysis = analyze(&[(path, text)], Bounds::default());
    assert_eq!(&summary(&analysis), expected, "{analysis:#?}");
}

fn summary(analysis: &Analysis) -> Value {
    let tools = analysis.tools_found.iter().map(|tool| {
        let parameters = tool.parameters.as_ref().map(|all| {
            all.iter()
                .map(|one| {
                    let kind = one.schema["type"].as_str().unwrap_or("any").to_owned()
                        + if one.required { "" } else { "?" };
                    (one.name.clone(), json!(kind))
                })
                .collect::<serde_json::Map<_, _>>()
        });
        json!([tool.name, tool.description, parameters])
    });
    tools.collect()
}

#[test]
fn python_decorators() {
    let text = r#"
from typing import Annotated, Literal, Optional
from pydantic import BaseModel, Field

class Point(BaseModel):
    """A point."""
    x: float = Field(description="Across")
    y: float = 0.0

@mcp.tool()
async def add(a: int, b: int = 1, *, ctx: Context) -> int:
    """Add two numbers.

    Args:
        a: The first.
    """

@mcp.tool(name="find", description="Find " "things", tags={"x"})
def find_things(q: Annotated[str, Field(description="What")], kind: Literal["a", "b"], at: Optional[Point] = None, many: list[str] | None = None): ...

@server.tool
def plain(self, where: "Point"): ...

def later(n: int):
    """Later."""

class Registry:
    def writer(self, title):
        return self._register(title)

    def _register(self, title):
        def decorate(function):
            self.server.tool(title=title)(wrapped(function))
            return function
        return decorate

@registry.writer("Own")
def own(path: str):
    """By a decorator of the project."""

mcp.add_tool(later, name="renamed")
mcp.tool(description="Called")(later)

def helper(): ...
"#;
    check(
        "a.py",
        text,
        &json!([
            ["add", "Add two numbers.\n\nArgs:\n    a: The first.", {"a": "integer", "b": "integer?"}],
            ["find", "Find things", {"at": "object?", "kind": "string", "many": "array?", "q": "string"}],
            ["later", "Called", {"n": "integer"}],
            ["own", "By a decorator of the project.", {"path": "string"}],
            ["plain", null, {"where": "object"}],
            ["renamed", "Later.", {"n": "integer"}],
        ]),
    );
    let analysis = analyze(&[("a.py", text)], Bounds::default());
    let find = &analysis.tools_found[1].parameters.as_ref().unwrap();
    assert_eq!(find[0].schema, json!({"type": "string", "description": "What"}));
    assert_eq!(find[1].schema, json!({"type": "string", "enum": ["a", "b"]}));
    assert_eq!(
        find[2].schema["properties"]["x"],
        json!({"type": "number", "description": "Across"})
    );
    assert_eq!(analysis.tools_found[0].line, 11);
}

#[test]
fn python_low_level() {
    let text = r#"
class Names(str, Enum):
    STATUS = "git_status"
    LOG = "git_log"

class Status(BaseModel):
    repo_path: str

@server.list_tools()
async def list_tools() -> list[Tool]:
    return [
        Tool(name=Names.STATUS, description="Shows", inputSchema=Status.model_json_schema()),
        types.Tool(name=Names.LOG.value, description=f"Logs of {X}", inputSchema={"type": "object", "properties": {"n": {"type": "integer"}, "p": PATH, "f": make(), "u": UNKNOWN, **more()}, "required": ["n"]}),
    ]

PATH = {"type": "string", "description": "A path"}

def make():
    return {"type": "boolean"}

def more():
    return {"m": PATH}
"#;
    check(
        "a.py",
        text,
        &json!([["git_log", "Logs of", {"f": "boolean?", "m": "string?", "n": "integer", "p": "string?", "u": "any?"}], ["git_status", "Shows", {"repo_path": "string"}]]),
    );
}

#[test]
fn typescript_registrations() {
    let text = r#"
const Common = { owner: z.string().describe("Who"), limit: z.preprocess((x) => x, z.number().int().optional()) };
const Search = z.object({ q: z.string().min(1), ...Common }).strict();
server.tool("ping", async () => ({}));
server.tool("search", "Search it", Search.shape, { readOnlyHint: true }, async (a) => ({}));
server.registerTool(`list_${KIND}`, { title: "T", description: "List " + "all", inputSchema: { ...Common, sort: z.enum(["a", "b"]).default("a") } }, handler);
const KIND = "issues";
const name = "by_variable";
const config = { title: "T", description: "D", inputSchema: Search };
server.registerTool(name, config, cb);
export const click = defineTool({ name: "click", description: "Click", schema: { uid: zod.string(), twice: zod.boolean().optional() }, handler: async () => {} });
server.registerTool(computeName(), { description: "x" }, cb);
"#;
    check(
        "src/a.ts",
        text,
        &json!([
            ["by_variable", "D", {"limit": "integer?", "owner": "string", "q": "string"}],
            ["click", "Click", {"twice": "boolean?", "uid": "string"}],
            ["list_issues", "List all", {"limit": "integer?", "owner": "string", "sort": "string?"}],
            ["ping", null, {}],
            ["search", "Search it", {"limit": "integer?", "owner": "string", "q": "string"}],
        ]),
    );
    let analysis = analyze(&[("src/a.ts", text)], Bounds::default());
    assert!(analysis.notes[0].contains("src/a.ts:12"), "{:?}", analysis.notes);
    let unnamed = (
        "src/a.ts",
        "server.registerTool(computeName(), { description: 'x' }, cb);",
    );
    let built = ("dist/b.js", "// no tool\n");
    let analysis = analyze(&[unnamed, built], Bounds::default());
    assert!(analysis.notes[0].contains("src/a.ts:1"), "{:?}", analysis.notes);
}

#[test]
fn javascript_lists_and_built_code() {
    let text = r#"
"use strict";
const zod_1 = require("zod");
exports.Args = zod_1.z.object({ path: zod_1.z.string().describe("P"), edits: zod_1.z.array(zod_1.z.object({ a: zod_1.z.string() })) });
var ToolName; (function (ToolName) { ToolName["ECHO"] = "echo"; })(ToolName || (ToolName = {}));
server.setRequestHandler(types_js_1.ListToolsRequestSchema, async () => ({
  tools: [
    { name: "edit_file", description: "Edit", inputSchema: (0, zod_to_json_schema_1.zodToJsonSchema)(exports.Args) },
    { name: "raw", description: `Raw ${x}`, inputSchema: { type: "object", properties: { url: { type: "string" } }, required: ["url"] } },
    FETCH,
  ],
}));
const FETCH = { name: "fetch", description: "Fetch", inputSchema: { type: "object", properties: {} } };
const byName = { lookup: { description: "Look", parameters: zod_1.z.object({ id: zod_1.z.coerce.number() }), execute: async () => {} } };
class Screenshot extends MCPTool { name = "shot"; description = "Shoot"; schema = { url: { type: zod_1.z.string(), description: "U" } }; }
const prompt = { name: "greet", description: "A prompt", arguments: [{ name: "who", description: "x", required: true }] };
"#;
    check(
        "package/dist/index.js",
        text,
        &json!([
            ["edit_file", "Edit", {"edits": "array", "path": "string"}],
            ["fetch", "Fetch", {}],
            ["lookup", "Look", {"id": "number"}],
            ["raw", "Raw", {"url": "string"}],
            ["shot", "Shoot", {"url": "string"}],
        ]),
    );
}

#[test]
fn go_options_and_structs() {
    let text = r#"
package main

const toolName = "hello"

type Args struct {
	Name  string   `json:"name" jsonschema:"Who is greeted"`
	Times int      `json:"times,omitempty" jsonschema:"required,description=How often"`
	Tags  []string `json:"tags"`
	inner string   `json:"-"`
}

func greet(ctx context.Context, req *mcp.CallToolRequest, args Args) (*mcp.CallToolResult, any, error) { return nil, nil, nil }

func main() {
	tool := mcp.NewTool(toolName, mcp.WithDescription("Say hello"), mcp.WithString("name", mcp.Required(), mcp.Description("Who")), mcp.WithNumber("n"))
	s.AddTool(tool, handler)
	mcp.AddTool(server, &mcp.Tool{Name: "greet", Description: t("KEY", "Greet " + "all")}, greet)
	_ = mcp.Tool{Name: "raw", Description: "Raw", InputSchema: &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"q": {Type: "string"}}, Required: []string{"q"}}}
}
"#;
    check(
        "main.go",
        text,
        &json!([
            ["greet", "Greet all", {"name": "string", "tags": "array", "times": "integer?"}],
            ["hello", "Say hello", {"n": "number?", "name": "string"}],
            ["raw", "Raw", {"q": "string"}],
        ]),
    );
}

#[test]
fn rust_attributes() {
    let text = r#"
/// What to add.
#[derive(Deserialize, JsonSchema)]
struct AddRequest {
    /// The first.
    a: i32,
    #[serde(rename = "bee", default)]
    b: Option<Vec<String>>,
    #[schemars(description = "C")]
    c: std::collections::HashMap<String, f64>,
}

#[tool_router]
impl Server {
    #[tool(description = "Add them")]
    async fn add(&self, Parameters(AddRequest { a, b, c }): Parameters<AddRequest>, cx: RequestContext<RoleServer>) -> String { String::new() }

    /// Says hello.
    /// To all.
    #[tool]
    fn hello(&self) -> String { String::new() }

    #[tool(name = "named", description = concat!("one ", "two"))]
    fn other(&self) {}

    fn helper(&self) {}
}
"#;
    check(
        "src/main.rs",
        text,
        &json!([
            ["add", "Add them", {"a": "integer", "bee": "array?", "c": "object"}],
            ["hello", "Says hello.\nTo all.", {}],
            ["named", "one two", {}],
        ]),
    );
}

#[test]
fn csharp_attributes() {
    let text = r#"
[McpServerToolType]
public static class Tools
{
    [McpServerTool(Name = "echo"), Description("Echo " + "it")]
    public static string Echo([Description("What")] string message, int? times = 1, CancellationToken token = default) => message;

    /// <summary>Gets it.</summary>
    [McpServerTool]
    public async Task<string> GetWeatherAsync(IMcpServer server, List<string> places, Kind kind) => "";

    public static string Helper(string x) => x;
}
public enum Kind { Small, Large }
"#;
    check(
        "Tools.cs",
        text,
        &json!([["echo", "Echo it", {"message": "string", "times": "integer?"}], ["get_weather", "Gets it.", {"kind": "string", "places": "array"}]]),
    );
}

#[test]
fn java_annotations_and_builders() {
    let text = r#"
public class Tools {
    @Tool(name = "forecast", description = "Get " + "it")
    public String forecast(@ToolParam(description = "Where") String city, @ToolParam(required = false) Integer days, ToolContext context) { return ""; }

    /** Adds. */
    @McpTool
    public int add(int a, List<Long> b) { return 0; }

    void register() {
        var tool = McpSchema.Tool.builder().name("built").description("Built").inputSchema(schema).build();
        var other = new Tool("made", "Made", """
            {"type": "object"}
            """);
    }

    void helper(String x) {}
}
"#;
    check(
        "src/Tools.java",
        text,
        &json!([
            ["add", "Adds.", {"a": "integer", "b": "array"}],
            ["built", "Built", null],
            ["forecast", "Get it", {"city": "string", "days": "integer?"}],
            ["made", "Made", null],
        ]),
    );
}

#[test]
fn names_are_followed_across_files() {
    let files = [
        (
            "package.json",
            r#"{"dependencies": {"@modelcontextprotocol/sdk": "^1.0.0", "zod": "3"}}"#,
        ),
        (
            "src/schemas.ts",
            "export const Issue = z.object({ owner: z.string() });\nexport enum Names { ISSUE = 'get_issue' }",
        ),
        (
            "src/tools.ts",
            "import { Issue, Names } from './schemas';\nserver.tool(Names.ISSUE, 'Get', Issue.shape, async () => fetch(`https://api.github.com/x`, process.env.GITHUB_TOKEN));",
        ),
        (
            "server.json",
            r#"{"packages": [{"environmentVariables": [{"name": "PASS", "isSecret": true}, {"name": "REGION"}]}]}"#,
        ),
        ("tests/x.test.ts", "server.tool('fake', async () => {});"),
    ];
    let analysis = analyze(&files, Bounds::default());
    assert_eq!(
        summary(&analysis),
        json!([["get_issue", "Get", {"owner": "string"}]])
    );
    assert_eq!(
        (analysis.framework.as_deref(), analysis.apis_called),
        (Some("mcp-sdk"), vec!["api.github.com".to_owned()])
    );
    assert_eq!(
        (analysis.secrets_needed, analysis.settings_read),
        (
            vec!["GITHUB_TOKEN".to_owned(), "PASS".to_owned()],
            vec!["REGION".to_owned()]
        )
    );
    assert_eq!(
        analysis.files[..3],
        ["package.json", "server.json", "src/tools.ts"]
    );
}

#[test]
fn what_refers_to_itself_or_to_much_costs_little() {
    let mut text = String::from("a = a.b\nc = d\nd = c\nf0 = 'x'\n");
    for level in 1..30 {
        text += &format!("f{level} = {}\n", vec![format!("f{}", level - 1); 30].join(" + "));
    }
    text += "class Node(BaseModel):\n";
    for field in 0..60 {
        text += &format!("    n{field}: Node\n");
    }
    text += "Tool(name='one', description=f29, inputSchema=Node.model_json_schema())\nTool(name=a, description=c, inputSchema=d)\n@tool\ndef two(n: Node): ...\n";
    let begin = std::time::Instant::now();
    let analysis = analyze(&[("a.py", text.as_str())], Bounds::default());
    assert!(
        begin.elapsed() < std::time::Duration::from_secs(10),
        "{:?}",
        begin.elapsed()
    );
    let names: Vec<&str> = analysis
        .tools_found
        .iter()
        .map(|tool| tool.name.as_str())
        .collect();
    assert_eq!(names, ["one", "two"]);
}
