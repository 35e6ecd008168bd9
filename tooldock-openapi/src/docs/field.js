"use strict";
// One argument of a tool as a form field. Values stay JSON text, so that numbers keep their digits.

/** An element with properties and children; text goes in as text, never as markup. */
function element(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

/** The schema behind a reference into the document. */
function resolve(schema, root) {
  let at = schema ?? {};
  for (let hops = 0; at.$ref && hops < 16; hops++) {
    const steps = at.$ref.replace(/^#\//, "").split("/");
    const { $ref, ...beside } = at;
    const found = steps.reduce((node, step) => node?.[step.replace(/~1/g, "/").replace(/~0/g, "~")], root);
    at = { ...found, ...beside };
  }
  return at;
}

/** What a schema allows: its branches, without null. */
function branches(schema, root) {
  const union = schema.anyOf ?? schema.oneOf ?? [schema];
  return union.map((branch) => resolve(branch, root)).filter((branch) => branch.type !== "null");
}

/** A few words about what fits. */
function describe(schema, root) {
  const words = branches(schema, root).map((branch) => {
    if (branch.enum || "const" in branch) return "choice";
    if (branch.type === "array") return `array of ${describe(resolve(branch.items, root), root)}`;
    const type = [].concat(branch.type ?? "any value").join(" or ");
    return branch.format ? `${type} (${branch.format})` : type;
  });
  return [...new Set(words)].join(" or ") || "null";
}

/** The control for a schema, what it shows at first, and how its text becomes JSON. */
function control(schema, root, required) {
  const [only, ...others] = branches(schema, root);
  const type = others.length === 0 ? only?.type : undefined;
  const choices = others.length === 0 && (only?.enum ?? (only && "const" in only ? [only.const] : undefined));
  const options = choices || (type === "boolean" ? [true, false] : undefined);
  if (options) {
    const values = options.map((value) => JSON.stringify(value));
    const shown = values.map((value, at) => new Option(typeof options[at] === "string" ? options[at] : value, value));
    if (!required) shown.unshift(new Option("(not sent)", ""));
    return { node: element("select", {}, ...shown), show: (json) => json, read: (text) => text };
  }
  if (type === "string") {
    const node = element("textarea", { rows: 1, spellcheck: false });
    return { node, show: (json) => JSON.parse(json), read: (text) => JSON.stringify(text), plain: true };
  }
  if (type === "integer" || type === "number") {
    const node = element("input", { inputMode: type === "integer" ? "numeric" : "decimal", className: "mono" });
    return { node, show: (json) => json, read: (text) => text };
  }
  const node = element("textarea", { rows: 3, spellcheck: false, placeholder: "JSON", className: "mono" });
  return { node, show: (json) => json, read: (text) => text };
}

/** A field for the argument `name`. `json()` gives its JSON text, or nothing when it is left out; it throws when it is no JSON. */
function field(name, property, root, required, example, id) {
  const schema = resolve(property, root);
  const { node, show, read, plain } = control(schema, root, required);
  node.id = id;
  const start = example ?? (required ? undefined : schema.default);
  if (start !== undefined && start !== null) node.value = show(JSON.stringify(start, null, 2));
  const kind = `${describe(schema, root)}${required ? ", required" : ""}`;
  const label = element("label", { htmlFor: id },
    element("span", { className: "mono", textContent: name }), element("span", { className: "quiet", textContent: kind }));
  const body = element("div", { className: "field" }, label, node);
  if (schema.description) body.append(element("p", { className: "hint", textContent: schema.description }));
  const json = () => {
    // An empty text is a value where a text is required; anywhere else it means: not sent.
    if (node.value.trim() === "" && !(plain && required)) {
      if (required) throw new Error(`\`${name}\` is required`);
      return undefined;
    }
    const text = read(node.value);
    try {
      JSON.parse(text);
    } catch {
      throw new Error(`\`${name}\` is not JSON: write texts as "text"`);
    }
    return text;
  };
  return { name, body, json };
}
