// The first TypeScript SDK of the protocol against one gateway: `v1.mjs URL TOKEN MODE [NAMESPACE [FOLDER]]`.
// It knows the handshake only, so MODE is `legacy`. One JSON line on standard output tells what it saw.

import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { run } from "./first.mjs";
import { headers } from "./report.mjs";

const [url, token, mode, namespace, folder] = process.argv.slice(2);
const transport = new StreamableHTTPClientTransport(new URL(url), {
  requestInit: { headers: headers(token, namespace) },
});
await run("node-v1", mode, transport, folder, () => transport.protocolVersion);
