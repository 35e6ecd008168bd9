// Writes the published JSON schemas, which the suite carries inside its program, into files of their own.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const revisions = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const program = readFileSync("node_modules/conformance-0.2.0-alpha.12/dist/index.js", "utf8");

// The end of the object literal that begins at `start`; braces inside texts do not count.
function end(start) {
  let depth = 0;
  let quote = null;
  for (let at = start; at < program.length; at++) {
    const sign = program[at];
    if (sign === "\\") at++;
    else if (quote) quote = sign === quote ? null : quote;
    else if ("\"'`".includes(sign)) quote = sign;
    else if (sign === "{") depth++;
    else if (sign === "}" && --depth === 0) return at + 1;
  }
  throw new Error("an object without end");
}

const schemas = [];
for (const found of program.matchAll(/\{\$schema:`[^`]*`,(definitions|\$defs):/g)) {
  schemas.push(new Function(`return ${program.slice(found.index, end(found.index))}`)());
}
if (schemas.length !== revisions.length) throw new Error(`the suite has ${schemas.length} schemas`);
mkdirSync("schemas", { recursive: true });
revisions.forEach((revision, at) => {
  writeFileSync(`schemas/${revision}.json`, JSON.stringify(schemas[at]));
});
