// What the clients on the first TypeScript SDK share: a connection, and what is done with it.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

import { report } from "./report.mjs";
import { talk } from "./talk.mjs";

/** Connects, reports or talks, and prints the one line. `agreed` tells the revision, where the client can know it. */
export async function run(name, mode, transport, folder, agreed) {
  const client = new Client({ name: `interop-${name}`, version: "0.0.0" });
  await client.connect(transport);
  const seen = folder ? await talk(peer(client), folder) : await report(client);
  console.log(JSON.stringify({ client: name, mode, protocol: agreed(), ...seen }));
  await transport.terminateSession?.();
  await client.close();
}

function peer(client) {
  return {
    call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
    names: async () => (await client.listTools()).tools.map((tool) => tool.name),
    listen: async (onLog, onChange) => {
      client.setNotificationHandler(LoggingMessageNotificationSchema, (note) => onLog(note.params.data));
      client.setNotificationHandler(ToolListChangedNotificationSchema, onChange);
      await client.setLoggingLevel("debug");
      return () => {};
    },
  };
}
