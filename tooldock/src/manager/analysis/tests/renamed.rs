//! Validators that a bundler gave other names, decorators of projects, and parameters that are filled in.

use serde_json::json;

use super::check;

#[test]
fn makers_are_known_by_what_they_make() {
    let text = r#"
const S = m("ZodString", (e) => e), O = m("ZodObject", (e) => e), P = m("ZodPipe", (e) => e), Q = m("ZodOptional", (e) => e);
function Z(e) { return f(S, e); }
function ve(e, t) { const n = { type: "object", shape: e }; return new O(n); }
function pp(e, t) { return new P({ type: "pipe", in: e, out: t }); }
function rs(e, t) { return pp(g(e), t); }
function qq(e) { return new Q({ innerType: e }); }
class N { }
N.create = (e) => new N({ checks: [], typeName: k.ZodNumber });
const nn = N.create;
server.registerTool("find", { description: "Find", inputSchema: ve({ q: Z().min(1), p: rs((x) => x, Z()), o: qq(Z()), n: nn().describe("N") }) }, run);
"#;
    check(
        "src/index.js",
        text,
        &json!([["find", "Find", {"n": "number", "o": "string?", "p": "string", "q": "string"}]]),
    );
}

#[test]
fn decorators_of_projects_say_all_of_a_tool() {
    let text = r#"
class Find(BaseModel):
    q: str
    top: int = 5

@register_tool("find", params=Find, description="Find things", serialization="str")
def find(config, auth, params):
    """Other."""

@register_tool("count", params=Find)
def count(config, auth, params):
    """Count."""
"#;
    check(
        "a.py",
        text,
        &json!([
            ["count", "Count.", {"q": "string", "top": "integer?"}],
            ["find", "Find things", {"q": "string", "top": "integer?"}],
        ]),
    );
}

#[test]
fn what_a_library_fills_in_is_no_parameter() {
    let text = r#"
@mcp.tool
async def run(sql: str, sure: Annotated[Sure, Resolve(ask)], db: Database = Depends(open), ctx: Context = CurrentContext(), top: int = 5):
    """Run."""
"#;
    check(
        "a.py",
        text,
        &json!([["run", "Run.", {"sql": "string", "top": "integer?"}]]),
    );
}

#[test]
fn decorators_of_projects_keep_functions_for_later() {
    let text = r#"
def logged_tool():
    def decorator(func):
        kept.append(func)
        return func
    return decorator

def register_all(mcp):
    for wrapper in kept:
        mcp.tool()(wrapper)

def timed(func):
    return func

@logged_tool()
def find(q: str, top: int = 5):
    """Find."""

@timed
def plain(a: int): ...
"#;
    check(
        "a.py",
        text,
        &json!([["find", "Find.", {"q": "string", "top": "integer?"}]]),
    );
}

#[test]
fn functions_about_schemas_give_another_form_of_them() {
    let text = r#"
function zodSchemaToInput(schema, name) {
  try { return zodToJsonSchema(schema, { name }); } catch { return { type: "object" }; }
}
const find = z.object({ q: z.string() });
export const tools = [{ name: "find", description: "Find", inputSchema: zodSchemaToInput(find, "find") }];
"#;
    check("src/a.js", text, &json!([["find", "Find", {"q": "string"}]]));
}
