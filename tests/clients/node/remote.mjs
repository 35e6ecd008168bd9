// `mcp-remote` between a client that knows only programs and one gateway: `remote.mjs URL TOKEN MODE [NAMESPACE [ERRAND]]`.
// MODE is `legacy`. One JSON line on standard output tells what the client saw through it.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

import { run } from "./first.mjs";
import { headers } from "./report.mjs";

const [url, token, mode, namespace, errand] = process.argv.slice(2);
const home = await mkdtemp(join(tmpdir(), "interop-"));
const file = join(home, "headers");
const lines = Object.entries(headers(token, namespace)).map(([name, value]) => `${name}: ${value}\n`);
await writeFile(file, lines.join(""), { mode: 0o600 });
const program = new URL("node_modules/mcp-remote/dist/proxy.js", import.meta.url).pathname;
const { PATH, NODE_EXTRA_CA_CERTS: trusted } = process.env;
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [program, url, "--allow-http", "--transport", "http-only", "--silent", "--header-file", file],
  env: { PATH, HOME: home, MCP_REMOTE_CONFIG_DIR: home, ...(trusted && { NODE_EXTRA_CA_CERTS: trusted }) },
  stderr: "inherit",
});
try {
  await run("mcp-remote", mode, transport, errand, () => undefined);
} finally {
  await rm(home, { recursive: true });
}
