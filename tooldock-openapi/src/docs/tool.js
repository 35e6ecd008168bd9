// One tool: its description, a form or an editor for its arguments, a call and what came back.

/** Of longer bodies the beginning is shown. */
const SHOWN = 1_000_000;

/** JSON, indented; as it came where a number would lose digits by that. */
function indented(text) {
  if (text.length > SHOWN) return `${text.slice(0, SHOWN)} … (${text.length} characters)`;
  const numerals = text.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d[\d.eE+-]*/g) ?? [];
  try {
    const kept = numerals.every((numeral) => String(Number(numeral)) === numeral);
    return kept ? JSON.stringify(JSON.parse(text), null, 2) : text;
  } catch {
    return text;
  }
}

/** Status, time and body of an answer as elements. */
function outcome(answer, text, milliseconds) {
  const id = answer.headers.get("x-request-id");
  const line = element("div", { className: "row" },
    element("strong", { className: answer.ok ? "good" : "bad", textContent: `${answer.status} ${answer.statusText}` }),
    element("span", { className: "quiet", textContent: `${milliseconds.toFixed(0)} ms` }),
    element("span", { className: "quiet mono", textContent: id ? `request ${id}` : "" }));
  const nodes = [line];
  let error;
  try {
    error = JSON.parse(text).error;
  } catch { /* shown as it is */ }
  if (!answer.ok && error?.message) nodes.push(element("p", { className: "text bad", textContent: error.message }));
  if (/^"data:image\/(png|jpeg|gif|webp);base64,/.test(text)) {
    nodes.push(element("img", { src: JSON.parse(text), alt: "the image that the tool returned" }));
  } else {
    nodes.push(element("pre", { tabIndex: 0, textContent: indented(text) || "(no body)" }));
  }
  return nodes;
}

/** The inside of a tool; made when it is opened for the first time. */
function inside(operation, address, root, send) {
  const media = operation.requestBody?.content?.["application/json"] ?? {};
  const schema = resolve(media.schema, root);
  const required = new Set(schema.required ?? []);
  const prefix = `${operation.operationId}-argument-`;
  const fields = Object.entries(schema.properties ?? {}).map(([name, property], at) =>
    field(name, property, root, required.has(name), media.example?.[name], prefix + at));

  const form = element("div", {}, ...fields.map(({ body }) => body));
  if (fields.length === 0) form.append(element("p", { className: "quiet", textContent: "Takes no arguments." }));
  const editor = element("textarea", { rows: 8, spellcheck: false, hidden: true, className: "mono", ariaLabel: "Arguments as JSON" });
  const call = element("button", { textContent: "Call" });
  const cancel = element("button", { type: "button", className: "plain", textContent: "Cancel", hidden: true });
  const toggle = element("button", { type: "button", className: "plain", textContent: "Edit as JSON" });
  const result = element("div", { className: "result", ariaLive: "polite" });
  const complain = (error) => result.replaceChildren(element("p", { className: "text bad", textContent: error.message }));

  const written = () => {
    const members = fields.map(({ name, json }) => [name, json()]).filter(([, json]) => json !== undefined);
    return `{${members.map(([name, json]) => `\n  ${JSON.stringify(name)}: ${json}`).join(",")}${members.length ? "\n" : ""}}`;
  };
  toggle.onclick = () => {
    const toEditor = editor.hidden;
    if (toEditor) {
      try {
        editor.value = written();
      } catch {
        editor.value ||= "{}";
      }
    }
    editor.hidden = !toEditor;
    form.hidden = toEditor;
    toggle.textContent = toEditor ? "Back to the form" : "Edit as JSON";
    if (toEditor) editor.focus();
  };

  const submit = async () => {
    const leave = new AbortController();
    try {
      const body = editor.hidden ? written() : editor.value;
      cancel.onclick = () => leave.abort();
      [call.disabled, cancel.hidden] = [true, false];
      result.replaceChildren(element("p", { className: "quiet", textContent: "Running …" }));
      const begin = performance.now();
      const answer = await send(address, { method: "POST", body, signal: leave.signal });
      result.replaceChildren(...outcome(answer, await answer.text(), performance.now() - begin));
    } catch (error) {
      complain(leave.signal.aborted ? new Error("cancelled") : error);
    } finally {
      [call.disabled, cancel.hidden] = [false, true];
    }
  };
  const tags = (operation.tags ?? []).map((tag) => element("span", { className: "tag", textContent: tag }));
  const whole = element("form", { className: "inside", noValidate: true },
    element("p", { className: "text", textContent: operation.description ?? "" }),
    element("div", { className: "row" }, ...tags),
    form, editor, element("div", { className: "row bar" }, call, cancel, toggle), result);
  whole.onsubmit = (event) => {
    event.preventDefault();
    submit();
  };
  whole.onkeydown = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !call.disabled) submit();
  };
  return whole;
}
