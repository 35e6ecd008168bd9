// The OAuth client of the second TypeScript SDK: `oauth.mjs URL ISSUER CLIENT SECRET`.
// Prints the names of the tools, and what the first says.

import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [url, expectedIssuer, clientId, clientSecret] = process.argv.slice(2);
const authProvider = new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer });
const client = new Client({ name: "interop-node-oauth", version: "0.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider }));
const names = (await client.listTools()).tools.map((tool) => tool.name);
const said = await client.callTool({ name: names[0], arguments: {} });
console.log(JSON.stringify({ names, said: said.content[0].text }));
await client.close();
