import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import type * as XGrammar from "@mlc-ai/web-xgrammar";
import type { StructuralTag } from "../../src/grammar/index.js";

// The package is a script that declares itself an ES module, so Node.js can neither import nor require it.
const file = createRequire(import.meta.url).resolve("@mlc-ai/web-xgrammar");
const loaded = new Module(file) as Module & { _compile(source: string, file: string): void };
loaded._compile(readFileSync(file, "utf8"), file);
const { GrammarCompiler, GrammarMatcher, TokenizerInfo } = loaded.exports as typeof XGrammar;

/** A vocabulary of all bytes, and the end token. */
const END = 256;
const bytes = Array.from({ length: END }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
const vocabulary = await TokenizerInfo.createTokenizerInfo([...bytes, "</s>"], "byte_fallback", false, undefined, END);
const compiler = await GrammarCompiler.createGrammarCompiler(vocabulary, false);

/** xgrammar's own judgement of whole texts, for a grammar in its EBNF or a structural tag. */
export async function xgrammarMatcher(grammar: string | StructuralTag): Promise<(text: string) => boolean> {
  const compiled = await (typeof grammar === "string"
    ? compiler.compileGrammar(grammar)
    : compiler.compileStructuralTag({ ...grammar }));
  const state = await GrammarMatcher.createGrammarMatcher(compiled);
  return (text) => {
    state.reset();
    return Buffer.from(text).every((byte) => state.acceptToken(byte)) && state.acceptToken(END);
  };
}

/** xgrammar 0.1 misreads classes with characters beyond ASCII; the versions in today's servers do not. */
export const isReadRightly = (ebnf: string): boolean =>
  (ebnf.match(/\[[^\]]*\]/g) ?? []).every((signs) => !/\\U|\\u(?!00[0-7])/.test(signs));
