//! Tools of tables, and of records that are filled or that register themselves.

use serde_json::json;

use super::{check, made::check_all};

#[test]
fn tables_of_json_are_gone_over() {
    let table = r#"[{ "toolName": "list-mails", "about": "List", "params": { "type": "object", "properties": { "top": { "type": "integer" } } } }]"#;
    let other =
        r#"[{ "toolName": "send-mail", "about": "Send", "params": { "type": "object", "properties": {} } }]"#;
    check_all(
        [
            ("src/endpoints.json", table),
            ("src/api.json", other),
            (
                "src/index.js",
                "const endpoints = JSON.parse(readFileSync(join(here, 'endpoints.json'), 'utf8'));\nfor (const one of endpoints) server.registerTool(one.toolName, { description: one.about, inputSchema: one.params }, run);",
            ),
            (
                "src/other.js",
                "import calls from './api.json' with { type: 'json' };\ncalls.forEach((one) => server.registerTool(`my-${one.toolName}`, { description: one.about, inputSchema: one.params }, run));",
            ),
        ],
        &json!([
            ["list-mails", "List", {"top": "integer?"}],
            ["my-send-mail", "Send", {}],
        ]),
    );
}

#[test]
fn an_object_that_is_made_of_a_list_has_it() {
    let text = r#"
const api = new Client(made([{ alias: "get-me", description: "Get" }]));
function made(list) { return list; }
const all = [...api.endpoints];
for (const one of all) {
  const shape = {};
  for (const param of one.parameters) shape[param.name] = param.schema;
  shape.page = z.number();
  server.registerTool(one.alias, { description: one.description, inputSchema: z.object(shape) }, run);
}
"#;
    check("src/index.js", text, &json!([["get-me", "Get", null]]));
}

#[test]
fn records_are_filled_after_they_were_made() {
    let text = r#"
const shape = { q: z.string() };
shape.page = z.number().optional();
shape["q"] = z.number();
if (big) shape.many = z.boolean();
server.tool("find", "Find", shape, run);
"#;
    check(
        "src/index.ts",
        text,
        &json!([["find", "Find", {"page": "number?", "q": "number"}]]),
    );
}

#[test]
fn a_record_registers_itself() {
    let text = r#"
const list = {
  name: "list", description: "List",
  exec(server, { name, description, config }) {
    const shape = z.object({ path: z.string() });
    server.registerTool(name, { description, inputSchema: shape }, run);
  },
};
tools.forEach((tool) => { tool.exec(server, { name: tool.name, description: tool.description, config }); });
"#;
    check(
        "src/index.ts",
        text,
        &json!([["list", "List", {"path": "string"}]]),
    );
}

#[test]
fn a_function_is_given_a_record() {
    let text = r#"
function search() { return { name: "search", description: "Search", inputSchema: z.object({ q: z.string() }) }; }
function add(server, tool) { server.tool(tool.name, tool.description, more(tool.inputSchema.shape), tool.run); }
const more = (shape) => ({ ...shape, session: z.string() });
add(server, search());
"#;
    check(
        "src/index.js",
        text,
        &json!([["search", "Search", {"q": "string", "session": "string"}]]),
    );
}

#[test]
fn records_by_name_and_records_put_together() {
    let text = r#"
class Find(BaseModel):
    q: str

TOOLS = {
    **MORE,
    "FindTool": {"display_name": "FindTool", "description": "Find", "input_schema": Find.model_json_schema(), "function": find},
    "other": {"description": "No tool"},
}
"#;
    check("a.py", text, &json!([["FindTool", "Find", {"q": "string"}]]));
    let text = r#"
const tool = wrap((0, _extends2.default)({ name: "find", description: "Find" }, options.more, { inputSchema: z.object({ q: z.string() }), execute: run }));
const other = Object.assign({ name: "count" }, { description: "Count", inputSchema: { type: "object", properties: { n: { type: "integer" } } } });
"#;
    check(
        "src/a.js",
        text,
        &json!([["count", "Count", {"n": "integer?"}], ["find", "Find", {"q": "string"}]]),
    );
}

#[test]
fn a_parameter_may_be_called_properties() {
    let text = r#"
server.tool("set", "Set", { node: z.string(), properties: z.record(z.any()).optional() }, run);
"#;
    check(
        "src/a.ts",
        text,
        &json!([["set", "Set", {"node": "string", "properties": "object?"}]]),
    );
}
