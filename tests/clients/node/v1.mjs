// The first TypeScript SDK of the protocol against one gateway: `v1.mjs URL TOKEN MODE [NAMESPACE [ERRAND]]`.
// It knows the handshake only, so MODE is `legacy`. An address that begins with `sse:` is one of the transport of
// 2024-11-05. One JSON line on standard output tells what it saw.

import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { run } from "./first.mjs";
import { headers, program } from "./report.mjs";

const [url, token, mode, namespace, errand] = process.argv.slice(2);
const [scheme] = url.split(":", 1);
const options = { requestInit: { headers: headers(token, namespace) } };
const streamable = () => new StreamableHTTPClientTransport(new URL(url), options);
const transports = {
  lines: () => new StdioClientTransport(program(url, token)),
  sse: () => new SSEClientTransport(new URL(url.slice("sse:".length)), options),
  http: streamable,
  https: streamable,
};
const transport = transports[scheme]();
// Not all of the transports keep what was agreed on.
transport.setProtocolVersion ??= (version) => (transport.protocolVersion = version);
await run("node-v1", mode, transport, errand, () => transport.protocolVersion ?? transport._protocolVersion);
