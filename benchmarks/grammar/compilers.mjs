import { Grammar } from "@toolingua/benchmark-peers/xgrammar.mjs";
import { protocols } from "@toolingua/core";
import { jsonSchemaToGbnf, toolCallGrammar } from "@toolingua/core/grammar";
import { getLlama, LlamaJsonSchemaGrammar } from "node-llama-cpp";

const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, maxThreads: 1 });

/** Ours, for calls in a format. */
export const calls = (tools, protocol = "hermes", options = {}) =>
  toolCallGrammar({ tools, protocol: protocols[protocol], toolChoice: "required", ...options });

/** Ours, from a schema, with llama.cpp's parsing of the text, because the others' results are parsed as well. */
export const ours = (schema) => llama.createGrammar({ grammar: jsonSchemaToGbnf(schema).grammar });

export const nodeLlamaCpp = (schema) => new LlamaJsonSchemaGrammar(llama, schema);

export async function xgrammar(schema) {
  const grammar = await Grammar.fromJSONSchema(JSON.stringify(schema), true, undefined, undefined, false);
  grammar.dispose();
}
