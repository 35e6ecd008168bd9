// The conversation of a Node client: progress, logs, a cancelled call, and a tool that appears because a file is
// dropped into FOLDER, the folder of the namespace.

import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds that something may take to arrive. */
const PATIENCE = 10_000;

/**
 * Has the conversation. `peer` is what differs between the generations of the SDK:
 * `call(tool, args, options)`, `names()`, and `listen(onLog, onChange)`, which answers a function that ends it.
 */
export async function talk(peer, folder) {
  const logs = [];
  let changed = () => {};
  const hush = await peer.listen((data) => logs.push(data), () => changed());
  const counted = summary(await peer.call("count", { steps: 1 }));
  const progress = [];
  await peer.call("count", { steps: 2 }, { onprogress: (note) => progress.push([note.progress, note.total, note.message]) });
  const seen = { counted, progress, logs, cancelled: await cancelOne(peer) };
  const change = new Promise((resolve) => (changed = () => resolve(true)));
  const name = `dropped_${randomUUID().slice(0, 8)}`;
  const text = `from tooldock import tool\n\n\n@tool\ndef ${name}() -> int:\n    """One."""\n    return 1\n`;
  await writeFile(join(folder, `${name}.py`), text);
  seen.changed = (await Promise.race([change, sleep(PATIENCE, false, { ref: false })])) && (await peer.names()).includes(name);
  await hush();
  return seen;
}

/** Whether the tool noticed that its call was cancelled. */
async function cancelOne(peer) {
  const name = randomUUID();
  const controller = new AbortController();
  const call = peer.call("wait", { name }, { signal: controller.signal, onprogress: () => controller.abort() });
  await call.catch(() => {});
  for (let began = Date.now(); Date.now() - began < PATIENCE; await sleep(20)) {
    if ((await peer.call("was_cancelled", { name })).structuredContent.result) return true;
  }
  return false;
}

/** A result as the tests compare it. */
function summary(result) {
  return { isError: result.isError === true, text: result.content[0].text, structured: result.structuredContent };
}
