// The whole: a token, the document it opens, and the list of tools.

const KEPT = "tooldock-token";
const part = (id) => document.getElementById(id);
/** The document lies beside this page, whose address may end in a slash. */
const SOURCE = location.pathname.replace(/\/*$/, "").replace(/[^/]*$/, "openapi.json");

/** A request to this gateway with the token. */
function send(address, options = {}) {
  const token = sessionStorage.getItem(KEPT);
  const headers = options.body === undefined ? {} : { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  return fetch(address, { ...options, headers, credentials: "omit", redirect: "error" });
}

function tell(text, bad = false) {
  part("status").textContent = text;
  part("status").className = bad ? "bad" : "";
}

/** Shows the tools of a document that was read from `source`. */
function show(root, source) {
  document.title = `${root.info.title} – tools`;
  part("title").textContent = root.info.title;
  part("version").textContent = root.info.version === "0" ? "" : `version ${root.info.version}`;
  part("about").textContent = root.info.description ?? "";
  const base = new URL(root.servers?.[0]?.url ?? ".", source).href.replace(/\/$/, "");
  const cards = Object.entries(root.paths).map(([path, { post: operation }]) => {
    const first = (operation.description ?? "").split("\n")[0];
    const head = element("summary", {},
      element("span", { className: "mono", textContent: operation.operationId }),
      element("span", { className: "quiet", textContent: first || operation.summary }));
    const card = element("details", { id: `tool-${operation.operationId}` }, head);
    const fill = () => card.childElementCount > 1 || card.append(inside(operation, base + path, root, send));
    card.ontoggle = () => card.open && fill();
    return card;
  });
  part("tools").replaceChildren(...cards);
  part("filter").hidden = cards.length < 8;
  tell(cards.length === 1 ? "1 tool" : `${cards.length} tools`);
  const named = part(`tool-${decodeURIComponent(location.hash.slice(1))}`);
  const chosen = named ?? (cards.length === 1 ? cards[0] : undefined);
  if (chosen) chosen.open = true;
}

async function load() {
  tell("Loading …");
  try {
    const answer = await send(SOURCE, { cache: "no-cache" });
    const text = await answer.text();
    if (answer.ok) return show(JSON.parse(text), answer.url);
    part("tools").replaceChildren();
    const known = sessionStorage.getItem(KEPT) !== null;
    if (answer.status === 401 && !known) {
      part("token").focus();
      return tell("Enter a token to see the tools.");
    }
    tell(JSON.parse(text).error.message, true);
  } catch (error) {
    tell(`The document could not be loaded: ${error.message}`, true);
  }
}

part("door").onsubmit = (event) => {
  event.preventDefault();
  const token = part("token").value.trim();
  if (token) sessionStorage.setItem(KEPT, token);
  part("token").value = "";
  load();
};
part("forget").onclick = () => {
  sessionStorage.removeItem(KEPT);
  location.reload();
};
part("filter").oninput = ({ target }) => {
  const wanted = target.value.toLowerCase();
  for (const card of part("tools").children) {
    card.hidden = !card.querySelector("summary").textContent.toLowerCase().includes(wanted);
  }
};
load();
