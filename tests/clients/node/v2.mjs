// The second TypeScript SDK of the protocol against one gateway: `v2.mjs URL TOKEN MODE [NAMESPACE]`.
// MODE is `legacy` (handshake) or `auto` (probe, then fall back). One JSON line on standard output tells what it saw.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

import { headers, report } from "./report.mjs";

const [url, token, mode, namespace] = process.argv.slice(2);
const client = new Client({ name: "interop-node-v2", version: "0.0.0" }, { versionNegotiation: { mode } });
const transport = new StreamableHTTPClientTransport(new URL(url), {
  requestInit: { headers: headers(token, namespace) },
});

await client.connect(transport);
const protocol = client.getNegotiatedProtocolVersion();
console.log(JSON.stringify(await report("node-v2", mode, protocol, client)));
if (client.getProtocolEra() === "legacy") await transport.terminateSession();
await client.close();
