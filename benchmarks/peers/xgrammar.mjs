// @mlc-ai/web-xgrammar: a script that declares itself an ES module, so Node.js can neither import nor require it.
import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";

const file = createRequire(import.meta.url).resolve("@mlc-ai/web-xgrammar");
const loaded = new Module(file);
loaded._compile(readFileSync(file, "utf8"), file);

export const { Grammar, GrammarCompiler, GrammarMatcher, Testings, TokenizerInfo } = loaded.exports;
