// What the last argument of a Node client wants done.

import { report } from "./report.mjs";
import { talk } from "./talk.mjs";
import { fetchBook, visit } from "./visit.mjs";

/**
 * Does it: nothing for a report, `visit` (resources, prompts, completion, questions), `fetch` (a call whose stream
 * somebody cuts), or the folder of the namespace for a conversation. For `peer` see `talk`.
 */
export function run(errand, client, peer) {
  if (!errand) return report(client);
  if (errand === "visit") return visit(client);
  return errand === "fetch" ? fetchBook(peer) : talk(peer, errand);
}
