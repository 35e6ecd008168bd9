// The second TypeScript SDK of the protocol against one gateway: `v2.mjs URL TOKEN MODE [NAMESPACE [ERRAND]]`.
// MODE is `legacy` (handshake), `auto` (probe, then fall back), or the revision to offer in a handshake.
// One JSON line on standard output tells what it saw.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

import { run } from "./errand.mjs";
import { headers } from "./report.mjs";
import { capabilities, decide, think } from "./visit.mjs";

const [url, token, mode, namespace, errand] = process.argv.slice(2);
const ways = { legacy: {}, auto: { versionNegotiation: { mode } } };
const client = new Client(
  { name: "interop-node-v2", version: "0.0.0" },
  { capabilities, ...(ways[mode] ?? { supportedProtocolVersions: [mode] }) },
);
client.setRequestHandler("elicitation/create", decide);
client.setRequestHandler("sampling/createMessage", think);
const transport = new StreamableHTTPClientTransport(new URL(url), {
  requestInit: { headers: headers(token, namespace) },
});

await client.connect(transport);
const legacy = client.getProtocolEra() === "legacy";

/** A client without sessions says with each call which logs it wants. */
const wishes = legacy ? {} : { _meta: { "io.modelcontextprotocol/logLevel": "debug" } };

const peer = {
  call: (name, args, options) => client.callTool({ name, arguments: args, ...wishes }, options),
  names: async () => (await client.listTools()).tools.map((tool) => tool.name),
  listen: async (onLog, onChange) => {
    client.setNotificationHandler("notifications/message", (note) => onLog(note.params.data));
    client.setNotificationHandler("notifications/tools/list_changed", onChange);
    if (legacy) {
      await client.setLoggingLevel("debug");
      return () => {};
    }
    const changes = await client.listen({ toolsListChanged: true });
    return () => changes.close();
  },
};

const seen = await run(errand, client, peer);
console.log(JSON.stringify({ client: "node-v2", mode, protocol: client.getNegotiatedProtocolVersion(), ...seen }));
if (legacy) await transport.terminateSession();
await client.close();
