// Counts the tokens of standard input as models of the encoding `o200k_base` read it.

import { readFileSync } from "node:fs";

import { getEncoding } from "js-tiktoken";

console.log(getEncoding("o200k_base").encode(readFileSync(0, "utf8")).length);
