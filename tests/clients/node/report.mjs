// What every Node client does once it is connected.

/** The request headers of a caller with `token`, and with `namespace` where the URL does not name it. */
export function headers(token, namespace) {
  return { Authorization: `Bearer ${token}`, ...(namespace && { "X-Namespace": namespace }) };
}

/** What to start, if the address is `lines:` and a command as JSON. */
export function program(url, token) {
  const [command, ...args] = JSON.parse(url.slice("lines:".length));
  return { command, args, env: { PATH: process.env.PATH, TOOLDOCK_TOKEN: token } };
}

/** Lists and calls, and gathers what was seen. */
export async function report(client) {
  const call = (tool, args) => outcome(client, tool, args);
  return {
    tools: (await client.listTools()).tools.map((tool) => tool.name).sort(),
    hello: await call("say_hello", { name: "Ada" }),
    add: await call("add", { a: 1.5, b: 2 }),
    raises: await call("fail", { reason: "on purpose" }),
    bad_arguments: await call("add", { a: "one", b: 2 }),
    unknown: await call("no_such_tool", {}),
  };
}

/** One call as either a tool result or the protocol error in its place. */
async function outcome(client, tool, args) {
  try {
    const result = await client.callTool({ name: tool, arguments: args });
    const text = result.content.filter((block) => block.type === "text").map((block) => block.text);
    const structured = result.structuredContent;
    return {
      isError: result.isError === true,
      text: text.join("\n"),
      ...(structured !== undefined && { structured }),
    };
  } catch (error) {
    return { code: error.code, message: error.message };
  }
}
