// A visit of a Node client to the library: it reads, fills in a prompt, completes, and answers what tools ask.

/** What the person decides on a form: nobody wants to read `faust`. */
export function decide(request) {
  const declined = request.params.message.includes("faust");
  return declined ? { action: "decline" } : { action: "accept", content: { days: 14 } };
}

/** What the model answers: what it was asked. */
export function think(request) {
  const text = `I was asked: ${request.params.messages[0].content.text}`;
  return { role: "assistant", model: "librarian", content: { type: "text", text } };
}

/** What a client says that it can be asked. */
export const capabilities = { elicitation: { form: {} }, sampling: {} };

/** Makes the visit, and gathers what was seen. */
export async function visit(client) {
  const call = async (name, args) => (await client.callTool({ name, arguments: args })).content[0].text;
  const read = async (uri) => (await client.readResource({ uri })).contents[0].text;
  const complete = async (ref, value) => {
    return (await client.complete({ ref, argument: { name: "title", value } })).completion.values;
  };
  const review = await client.getPrompt({ name: "review", arguments: { title: "emma" } });
  return {
    resources: (await client.listResources()).resources.map((item) => item.uri),
    templates: (await client.listResourceTemplates()).resourceTemplates.map((item) => item.uriTemplate),
    read: await read("book://catalog"),
    read_by_template: await read("book://emma/summary"),
    prompts: (await client.listPrompts()).prompts.map((item) => item.name),
    prompt: review.messages[0].content.text,
    completed: await complete({ type: "ref/prompt", name: "review" }, "em"),
    completed_template: await complete({ type: "ref/resource", uri: "book://{title}/summary" }, "au"),
    accepted: await call("lend", { title: "emma" }),
    declined: await call("lend", { title: "faust" }),
    sampled: await call("recommend", { taste: "rain" }),
  };
}

/** Makes a call whose stream somebody cuts after the first note. */
export async function fetchBook(peer) {
  const progress = [];
  const onprogress = (note) => progress.push([note.progress, note.total, note.message]);
  const result = await peer.call("fetch", {}, { onprogress });
  return { fetched: result.content[0].text, progress };
}
