// The second TypeScript SDK of the protocol against one gateway: `v2.mjs URL TOKEN MODE [NAMESPACE [FOLDER]]`.
// MODE is `legacy` (handshake) or `auto` (probe, then fall back). One JSON line on standard output tells what it saw.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

import { headers, report } from "./report.mjs";
import { talk } from "./talk.mjs";

const [url, token, mode, namespace, folder] = process.argv.slice(2);
const client = new Client({ name: "interop-node-v2", version: "0.0.0" }, { versionNegotiation: { mode } });
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

const seen = folder ? await talk(peer, folder) : await report(client);
console.log(JSON.stringify({ client: "node-v2", mode, protocol: client.getNegotiatedProtocolVersion(), ...seen }));
if (legacy) await transport.terminateSession();
await client.close();
