//! Tools that a project's own loops, functions, classes and modules make.

use serde_json::{Value, json};

use super::{Bounds, analyze, check, summary};

pub(super) fn check_all<const N: usize>(files: [(&str, &str); N], expected: &Value) {
    let analysis = analyze(&files, Bounds::default());
    assert_eq!(&summary(&analysis), expected, "{analysis:#?}");
}

#[test]
fn a_loop_registers_what_a_list_holds() {
    check_all(
        [
            (
                "src/list.ts",
                "export const list = { name: 'list', description: 'List', inputSchema: z.object({ path: z.string() }) };",
            ),
            (
                "src/tools.ts",
                "import { list } from './list';\nconst more = [{ name: 'find', description: 'Find', schema: { q: z.string() } }];\nexport const TOOLS = [list, ...more];",
            ),
            (
                "src/index.ts",
                "import { TOOLS } from './tools';\nTOOLS.forEach((tool) => {\n  const about = told(tool.description);\n  server.tool(tool.name, about, { params: tool.inputSchema.optional() }, run);\n});\nfor (const { name, description, schema } of more) server.registerTool(`my_${name}`, { description, inputSchema: schema }, run);",
            ),
        ],
        &json!([
            ["find", "Find", {"params": "any"}],
            ["list", "List", {"params": "object?"}],
            ["my_find", "Find", {"q": "string"}],
        ]),
    );
}

#[test]
fn records_are_looped_over_by_values_and_entries() {
    let text = r#"
const shapes = { one: { about: "One", args: { a: z.string() } }, two: { about: "Two", args: {} } };
for (const [name, shape] of Object.entries(shapes)) server.registerTool(name, { description: shape.about, inputSchema: shape.args }, run);
const defs = { x: { id: "x", text: "X", args: { b: z.number() } } };
const listed = Object.values(defs).filter((one) => one.on).map((one) => ({ name: one.id, description: one.text, inputSchema: { type: "object", properties: Object.fromEntries(Object.entries(one.args).map(([key, value]) => [key, convert(value)])) } }));
"#;
    check(
        "src/index.js",
        text,
        &json!([
            ["one", "One", {"a": "string"}],
            ["two", "Two", {}],
            ["x", "X", {"b": "number?"}],
        ]),
    );
}

#[test]
fn functions_of_the_project_declare_tools() {
    let text = r#"
const paged = (shape) => ({ ...shape, page: z.number().optional() });
function schema(properties, required = []) { return { type: "object", properties, required }; }
function register(server, name, about, shape, run) {
  const description = `${about}.`;
  server.registerTool(name, { description, inputSchema: shape }, wrap(run));
}
const define = (name, description, inputSchema) => ({ name, description, inputSchema });
define("made", "Made", schema({ q: { type: "string" } }, ["q"]));
class Registry { add(name, shape) { this.server.tool(prefixed(name), "Added", shape, run); } }
const prefixed = (name) => `acme_${name}`;
registry.add("list", paged({ id: z.string() }));
register(server, "last", "Last", { n: z.number() }, run);
"#;
    check(
        "src/index.ts",
        text,
        &json!([
            ["acme_list", "Added", {"id": "string", "page": "number?"}],
            ["last", "Last.", {"n": "number"}],
            ["made", "Made", {"q": "string"}],
        ]),
    );
}

#[test]
fn a_module_is_a_tool() {
    let expected = json!([
        ["docs", "Find docs", {"topic": "string?"}],
        ["greet", "Greet", {"name": "string"}],
        ["plain", "Plain", {}],
    ]);
    check_all(
        [
            (
                "src/tools/docs.ts",
                "export const inputSchema = { topic: z.string().optional() };\nexport const metadata = { name: 'docs', description: 'Find docs' };\nexport async function handler(args) { const name = 'other'; }",
            ),
            (
                "src/tools/greet.ts",
                "export const schema = { name: z.string() };\nexport const metadata: ToolMetadata = { name: 'greet', description: 'Greet', annotations: {} };\nexport default async function greet({ name }) {}",
            ),
            (
                "src/tools/plain.js",
                "exports.name = 'plain';\nexports.description = 'Plain';\nexports.handler = run;\nfunction handler() {}",
            ),
            (
                "src/index.ts",
                "import * as docs from './tools/docs.js';\nimport * as greet from './tools/greet.js';\nconst tools = [docs, greet];\nconst list = () => tools.map((tool) => ({ name: tool.metadata.name, description: tool.metadata.description, inputSchema: toJson(tool) }));\nexport const name = 'server';",
            ),
        ],
        &expected,
    );
}

#[test]
fn names_that_two_files_share_are_told_apart() {
    check_all(
        [
            (
                "src/a.ts",
                "export const schema = { a: z.string() };\nexport default { name: 'first', description: 'A', run };",
            ),
            (
                "src/b.ts",
                "export const schema = { b: z.string() };\nexport default { name: 'second', description: 'B', run };",
            ),
            (
                "src/index.ts",
                "import { schema as one } from './a';\nimport { schema as two } from './b';\nimport first from './a';\nserver.tool('one', 'One', one, run);\nserver.tool('two', 'Two', two, run);\nserver.tool(first.name, first.description, {}, run);",
            ),
            (
                "src/c.ts",
                "import { schema } from './b';\nserver.tool('three', 'Three', schema, run);",
            ),
        ],
        &json!([
            ["first", "A", {}],
            ["one", "One", {"a": "string"}],
            ["three", "Three", {"b": "string"}],
            ["two", "Two", {"b": "string"}],
        ]),
    );
}

#[test]
fn a_name_has_the_value_of_its_block() {
    let text = "function a() { const t = { x: z.string() }; server.tool('a', 'A', t, run); }\nfunction b() { const t = { y: z.string() }; return t; }\nconst t = { z: z.string() };\nfunction c() { if (on) { const t = {}; } server.tool('c', 'C', t, run); }\nserver.tool('ping', 'Ping', async () => ({ content: [] }));";
    check(
        "src/index.js",
        text,
        &json!([["a", "A", {"x": "string"}], ["c", "C", {"z": "string"}], ["ping", "Ping", {}]]),
    );
}

#[test]
fn validators_describe_whole_tools() {
    let text = "const Go = z.object({ name: z.literal('go'), description: z.literal('Go there'), arguments: z.object({ url: z.string() }) });\nconst tool = { schema: { name: Go.shape.name.value, description: Go.shape.description.value, inputSchema: zodToJsonSchema2(Go.shape.arguments) } };";
    check(
        "src/index.js",
        text,
        &json!([["go", "Go there", {"url": "string"}]]),
    );
}

#[test]
fn constructors_say_what_a_tool_class_is() {
    let text = r#"
class Shot extends BaseTool { constructor() { super(...arguments); this.name = "shot"; this.description = "Shoot"; this.schema = { url: z.string() }; } }
class Named extends ToolBase { constructor() { super(); this.description = "Named"; } argsShape() { return { n: z.number() }; } }
Named.toolName = "named";
const Shape = z.object({ points: z.array(z.number()) });
class Matrix extends MapTool { name = "matrix"; description = "Measure"; constructor(on) { super({ inputSchema: Shape, on }); } }
class Read extends BaseTool { constructor() { super("read", "Read it", { path: z.string() }); } }
"#;
    check(
        "src/tools.js",
        text,
        &json!([["matrix", "Measure", {"points": "array"}], ["named", "Named", {"n": "number"}], ["read", "Read it", {"path": "string"}], ["shot", "Shoot", {"url": "string"}]]),
    );
}

#[test]
fn python_loops_and_functions() {
    let text = r#"
TOOLS = [{"id": "one", "about": "One", "takes": {"type": "object", "properties": {"a": {"type": "string"}}}}]

def shape(properties, required=None):
    return {"type": "object", "properties": properties, "required": required}

@server.list_tools()
async def list_tools():
    return [Tool(name=t["id"], description=t["about"], inputSchema=t["takes"]) for t in TOOLS] + [
        Tool(name="two", description="Two", inputSchema=shape({"b": {"type": "integer"}}, required=["b"])),
    ]

def first(x: int):
    """First."""

def second(y: str = ""):
    """Second."""

for function in (first, second):
    mcp.tool()(function)

class Logs:
    def register(self, mcp):
        mcp.tool(name="groups")(self.groups)

    async def groups(self, ctx: Context, context: str): ...

@mcp.tool()
@needs_service("mail")
async def mail(service, other: Any, to: str, cc: str = ""): ...
"#;
    check(
        "server.py",
        text,
        &json!([
            ["first", "First.", {"x": "integer"}],
            ["groups", null, {"context": "string"}],
            ["mail", null, {"cc": "string?", "to": "string"}],
            ["one", "One", {"a": "string?"}],
            ["second", "Second.", {"y": "string?"}],
            ["two", "Two", {"b": "integer"}],
        ]),
    );
}

#[test]
fn a_mounted_server_gives_its_tools_a_prefix() {
    check_all(
        [
            (
                "jira.py",
                "jira = FastMCP('jira')\n\n@jira.tool(name='search')\ndef find(q: str): ...\n\n@jira.tool\ndef get(key: str): ...",
            ),
            (
                "main.py",
                "from jira import jira\nmain.mount(jira, prefix='jira')\nmain.mount('sub', sub)\nsub = FastMCP('sub')\n\n@sub.tool()\ndef one(): ...\n\n@main.tool()\ndef two(): ...",
            ),
        ],
        &json!([
            ["jira_get", null, {"key": "string"}],
            ["jira_search", null, {"q": "string"}],
            ["sub_one", null, {}],
            ["two", null, {}],
        ]),
    );
}

#[test]
fn tools_come_from_packages_that_are_brought_along() {
    let tool = |name: &str| format!("server.tool('{name}', 'It', {{ a: z.string() }}, run);");
    let (own, brought) = (tool("own"), tool("brought"));
    let files = [
        (
            "package/dist/index.js",
            "import { tools } from '@o/tools'; // all tools",
        ),
        ("node_modules/@o/tools/dist/index.js", brought.as_str()),
        (
            "node_modules/@modelcontextprotocol/sdk/dist/index.js",
            own.as_str(),
        ),
    ];
    check_all(files, &json!([["brought", "It", {"a": "string"}]]));
    let own = [("package/dist/index.js", own.as_str()), files[1]];
    check_all(own, &json!([["own", "It", {"a": "string"}]]));
}

#[test]
fn operations_of_a_document_are_tools() {
    let server = (
        "server.py",
        "mcp = FastMCP.from_openapi(load('api/openapi.yaml'))  # tools",
    );
    let document = r##"openapi: 3.1.0
paths:
  /users/{id}:
    parameters: [{ $ref: "#/components/parameters/id" }]
    get: { operationId: getUser, summary: Get a user }
    patch:
      operationId: changeUser
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/User" } } } }
  /ping: { get: {} }
components:
  parameters: { id: { name: id, in: path, required: true, schema: { type: integer } } }
  schemas: { User: { properties: { name: { type: string } }, required: [name] } }
"##;
    check_all(
        [server, ("api/openapi.yaml", document)],
        &json!([
            ["get_ping", null, {}],
            ["getUser", "Get a user", {"id": "integer"}],
            ["changeUser", null, {"id": "integer", "name": "string"}],
        ]),
    );
    let without = analyze(&[server], Bounds::default());
    assert!(
        without
            .notes
            .iter()
            .any(|note| note.contains("not among the files")),
        "{:?}",
        without.notes
    );
}

/// The most MiB that this process has had.
fn most_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() >> 10
}

/// One large thing that is referred to, copied or surrounded a thousand times is not written out as often.
#[test]
fn what_is_said_often_is_not_copied_as_often() {
    let large = format!("[{}]", vec!["1"; 200_000].join(","));
    let many = |one: &str| one.repeat(5_000);
    let parameter = r##"{"name":"a","schema":{"$ref":"#/large"}},"##;
    let document = format!(
        r#"{{"openapi":"3.1.0","large":{{"enum":{large}}},"paths":{{"/a":{{"get":{{"parameters":[{}null]}}}}}}}}"#,
        many(parameter)
    );
    let called = format!(
        "server.tool('ok', 'It', {{}}, run);\nfunction wrap(name) {{ server.tool(name, 'It', {{ a: z.enum({large}) }}, run); }}\n{}",
        many("wrap('a');\n")
    );
    let around = format!(
        "server.tool('ok', 'It', {{}}, run);\n{}{large}{}",
        "server.tool('a', ".repeat(100),
        ");".repeat(100).replace(";)", ")")
    );
    let texts = format!(
        "server.tool('ok', 'It', {{}}, run);\nfunction wrap(name) {{ server.tool(name, '{}', {{}}, run); }}\n{}",
        "x".repeat(2_000_000),
        many("wrap('a');\n")
    );
    for (name, text) in [
        ("api.json", &document),
        ("called.js", &called),
        ("around.js", &around),
        ("texts.js", &texts),
    ] {
        let server = ("server.py", "FastMCP.from_openapi()  # tools");
        let begin = std::time::Instant::now();
        let analysis = analyze(&[server, (name, text)], Bounds::default());
        assert!(!analysis.tools_found.is_empty(), "{name}");
        assert!(begin.elapsed() < std::time::Duration::from_secs(12), "{name}");
        assert!(most_memory() < 512, "{name}: {} MiB", most_memory());
    }
}

#[test]
fn loops_over_loops_cost_little() {
    let mut text = String::from("const l0 = [{ name: 'a', description: 'd', inputSchema: {} }];\n");
    for level in 1..30 {
        let below = level - 1;
        text += &format!(
            "const l{level} = [...l{below}, ...l{below}, ...l{below}, ...l{below}];\nconst f{level} = (x) => f{below}([x, x, x]);\n"
        );
    }
    for _ in 0..2_000 {
        text += "for (const q of l29) { server.tool(q.q + z, a, {}, run); wrap('x', q); }\nconst wrap = (q) => server.tool(q, wrap, {}, run);\n";
    }
    text += "import * as z from './a.js';\nimport y from './a.js';\nexport default y;\nserver.tool(z.default, y, z, run);\n";
    text += "const f0 = (x) => f29(x);\nl29.forEach((t) => server.tool(t.name, f29(t.description), f29(t.inputSchema), run));\nfunction again(name) { server.tool(name, {}, run); again('b', name); again(name, 'c'); }\n";
    let begin = std::time::Instant::now();
    let analysis = analyze(&[("a.js", text.as_str())], Bounds::default());
    assert!(
        begin.elapsed() < std::time::Duration::from_secs(10),
        "{:?}",
        begin.elapsed()
    );
    assert_eq!(analysis.tools_found[0].name, "a");
}
