// The first TypeScript SDK of the protocol against one gateway: `v1.mjs URL TOKEN MODE [NAMESPACE]`.
// It knows the handshake only, so MODE is `legacy`. One JSON line on standard output tells what it saw.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { headers, report } from "./report.mjs";

const [url, token, mode, namespace] = process.argv.slice(2);
const client = new Client({ name: "interop-node-v1", version: "0.0.0" });
const transport = new StreamableHTTPClientTransport(new URL(url), {
  requestInit: { headers: headers(token, namespace) },
});

await client.connect(transport);
const protocol = transport.protocolVersion;
console.log(JSON.stringify(await report("node-v1", mode, protocol, client)));
await transport.terminateSession();
await client.close();
