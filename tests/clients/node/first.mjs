// What the clients on the first TypeScript SDK share: a connection, and what is done with it.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

import { run as runErrand } from "./errand.mjs";
import { capabilities, decide, think } from "./visit.mjs";

/** Connects, does its errand, and prints the one line. `agreed` tells the revision, where the client can know it. */
export async function run(name, mode, transport, errand, agreed) {
  const client = new Client({ name: `interop-${name}`, version: "0.0.0" }, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, decide);
  client.setRequestHandler(CreateMessageRequestSchema, think);
  await client.connect(transport);
  const seen = await runErrand(errand, client, peer(client));
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
