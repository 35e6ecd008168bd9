// The command line of the MCP Inspector against one gateway: `inspector.mjs URL TOKEN MODE [NAMESPACE [visit]]`.
// It lists and calls, or lists and reads in the library, one process each. One JSON line on standard output tells what it saw.

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { headers } from "./report.mjs";

const [url, token, mode, namespace, errand] = process.argv.slice(2);
const home = await mkdtemp(join(tmpdir(), "interop-"));
const program = new URL("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", import.meta.url);
const access = Object.entries(headers(token, namespace)).flatMap(([name, value]) => ["--header", `${name}: ${value}`]);

/** What a method gives: the JSON it prints. It ends with 5 where a tool says that it failed. */
async function ask(method, ...more) {
  const words = ["--cli", "--server-url", url, "--transport", "http", "--stored-auth-only", ...access, "--method", method, ...more];
  const { PATH, NODE_EXTRA_CA_CERTS: trusted } = process.env;
  const environment = { PATH, HOME: home, ...(trusted && { NODE_EXTRA_CA_CERTS: trusted }) };
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

async function report() {
  // Where this is refused, so are the others.
  const list = await ask("tools/list");
  const [hello, add, raises, refused] = await Promise.all([
    call("say_hello", { name: "Ada" }),
    call("add", { a: 1.5, b: 2 }),
    call("fail", { reason: "on purpose" }),
    call("add", { a: "one", b: 2 }),
  ]);
  return { tools: list.tools.map((tool) => tool.name).sort(), hello, add, raises, bad_arguments: refused };
}

async function visit() {
  const [resources, templates, read, byTemplate, prompts, prompt] = await Promise.all([
    ask("resources/list"),
    ask("resources/templates/list"),
    ask("resources/read", "--uri", "book://catalog"),
    ask("resources/read", "--uri", "book://emma/summary"),
    ask("prompts/list"),
    ask("prompts/get", "--prompt-name", "review", "--prompt-args", "title=emma"),
  ]);
  return {
    resources: resources.resources.map((item) => item.uri),
    templates: templates.resourceTemplates.map((item) => item.uriTemplate),
    read: read.contents[0].text,
    read_by_template: byTemplate.contents[0].text,
    prompts: prompts.prompts.map((item) => item.name),
    prompt: prompt.messages[0].content.text,
  };
}

try {
  const seen = errand ? await visit() : await report();
  console.log(JSON.stringify({ client: "inspector", mode, ...seen }));
} finally {
  await rm(home, { recursive: true, force: true });
}
