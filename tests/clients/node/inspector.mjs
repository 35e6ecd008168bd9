// The command line of the MCP Inspector against one gateway: `inspector.mjs URL TOKEN MODE [NAMESPACE]`.
// It lists and calls, one process each. One JSON line on standard output tells what it saw.

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { headers } from "./report.mjs";

const [url, token, mode, namespace] = process.argv.slice(2);
const home = await mkdtemp(join(tmpdir(), "interop-"));
const program = new URL("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", import.meta.url);
const access = Object.entries(headers(token, namespace)).flatMap(([name, value]) => ["--header", `${name}: ${value}`]);

/** What a method gives: the JSON it prints. It ends with 5 where a tool says that it failed. */
async function ask(method, ...more) {
  const words = ["--cli", "--server-url", url, "--transport", "http", "--stored-auth-only", ...access, "--method", method, ...more];
  const environment = { PATH: process.env.PATH, HOME: home };
  const ran = await promisify(execFile)(process.execPath, [program.pathname, ...words], { env: environment }).catch(
    (error) => (error.code === 5 ? error : Promise.reject(error)),
  );
  return JSON.parse(ran.stdout);
}

async function call(tool, args) {
  const result = await ask("tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(args));
  const text = result.content.map((block) => block.text).join("\n");
  const structured = result.structuredContent;
  return { isError: result.isError === true, text, ...(structured !== undefined && { structured }) };
}

try {
  const [list, hello, add, raises, refused] = await Promise.all([
    ask("tools/list"),
    call("say_hello", { name: "Ada" }),
    call("add", { a: 1.5, b: 2 }),
    call("fail", { reason: "on purpose" }),
    call("add", { a: "one", b: 2 }),
  ]);
  const tools = list.tools.map((tool) => tool.name).sort();
  console.log(JSON.stringify({ client: "inspector", mode, tools, hello, add, raises, bad_arguments: refused }));
} finally {
  await rm(home, { recursive: true, force: true });
}
