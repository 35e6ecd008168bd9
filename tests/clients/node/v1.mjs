// The first TypeScript SDK of the protocol against one gateway: `v1.mjs URL TOKEN MODE [NAMESPACE [FOLDER]]`.
// It knows the handshake only, so MODE is `legacy`. One JSON line on standard output tells what it saw.

import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { run } from "./first.mjs";
import { headers, program } from "./report.mjs";

const [url, token, mode, namespace, folder] = process.argv.slice(2);
const transport = url.startsWith("lines:")
  ? new StdioClientTransport(program(url, token))
  : new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: headers(token, namespace) } });
// Only one of the transports keeps what was agreed on.
transport.setProtocolVersion ??= (version) => (transport.protocolVersion = version);
await run("node-v1", mode, transport, folder, () => transport.protocolVersion);
