// Drives the manager with the second TypeScript SDK: `manage.mjs URL TOKEN`, the calls as JSON on standard input.
// Each call is `[tool, arguments]`. One JSON line on standard output tells for each what came back.

import { readFileSync } from "node:fs";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

import { headers } from "./report.mjs";

const [url, token] = process.argv.slice(2);
const client = new Client({ name: "manager-node", version: "0.0.0" }, { versionNegotiation: { mode: "auto" } });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: headers(token) } }));

const seen = [];
for (const [name, args] of JSON.parse(readFileSync(0, "utf8"))) {
  const result = await client.callTool({ name, arguments: args }, { timeout: 180_000 });
  const text = result.content.map((block) => block.text ?? "").join("");
  seen.push({ failed: result.isError === true, structured: result.structuredContent ?? null, text });
}
console.log(JSON.stringify(seen));
await client.close();
