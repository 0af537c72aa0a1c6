import { jsonBody } from "../bodies/json.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import type { ProtocolDeclaration } from "../protocol.js";
import { name } from "../syntax/parts.js";
import type { Form } from "../syntax/syntax.js";
import { mistralTurns } from "../syntax/turn-tokens.js";
import { resultText } from "../tool-text/error-text.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { atStart, callList } from "./parts.js";

const named: Form = {
  block: { open: "", separator: "", close: "" },
  call: ["[TOOL_CALLS]", name, "[ARGS]", { body: "json" }],
};
const list = callList("[TOOL_CALLS]", "");
const understood: Form[] = [
  // Small 3.2 writes an id of nine characters; some models leave out the mark before the arguments.
  { call: ["[TOOL_CALLS]", name, "[CALL_ID]", { slot: "index" }, "[ARGS]", { body: "json" }] },
  { call: ["[TOOL_CALLS]", name, { body: "json" }] },
  // Some models write a comma between calls.
  { ...named, block: { open: "", separator: ",", close: "" } },
  // Some servers drop the tokens.
  atStart(name, "[ARGS]", { body: "json" }),
  atStart(name, { body: "json" }),
];

const mistralProtocol = (
  declaration: Pick<ProtocolDeclaration, "name" | "about">,
  form: Form,
  also: Form[],
  example: string,
) =>
  defineProtocol({
    ...declaration,
    bodies: [jsonBody, jsonCallBody],
    syntax: {
      parallel: true,
      ...form,
      also: [...also, ...understood],
      spans: [
        { open: "[THINK]", close: "[/THINK]", as: "reasoning" },
        { open: "[TOOL_RESULTS]", close: "[/TOOL_RESULTS]", as: "dropped" },
      ],
      turns: mistralTurns,
      // Some models close the calls like everything else.
      noise: ["[/TOOL_CALLS]"],
      stop: ["[TOOL_RESULTS]"],
    },
    renderTools: (tools, context) =>
      [
        `[AVAILABLE_TOOLS]${context.style === "native" ? "[" : "\n"}${nativeTools(tools, context, functionJson, ", ")}${context.style === "native" ? "]" : "\n"}[/AVAILABLE_TOOLS]`,
        "",
        `To call tools, answer with ${example}; to answer without them, write plain text.`,
      ].join("\n"),
    renderResults: (results) => results.map((result) => `[TOOL_RESULTS]${resultText(result)}[/TOOL_RESULTS]`).join(""),
  });

/**
 * Each call follows its own marker, with the name separate from the arguments. The template does not explain calls to
 * the model; this section does, because a server for text may not convert the markers to their tokens.
 *
 * @example
 * // [TOOL_CALLS]add[ARGS]{"a": 2, "b": 3}[TOOL_CALLS]now[ARGS]{}
 */
export const mistral = mistralProtocol(
  {
    name: "mistral",
    about: {
      models: "Mistral Small 3.2, Ministral 3, Magistral, Devstral, Mistral Medium 3",
      source: "mistral-common, tokenizer v11; the chat template of mistralai/Devstral-Small-2507",
    },
  },
  named,
  [list, ...list.also],
  '[TOOL_CALLS]function_name[ARGS]{"argument": "value"}',
);

/**
 * All calls as one JSON list, as Mistral's models wrote them up to tokenizer v7.
 *
 * @example
 * // [TOOL_CALLS][{"name": "add", "arguments": {"a": 2, "b": 3}}]
 */
export const mistralList = mistralProtocol(
  {
    name: "mistral-list",
    about: {
      models: "Mistral 7B v0.3, Mistral Nemo, Mixtral 8x22B, Mistral Large, Mistral Small up to 3.1, Ministral 8B",
      source: "mistral-common, tokenizers v3 to v7; the chat template of mistralai/Mistral-Nemo-Instruct-2407",
    },
  },
  { block: list.block!, call: list.call },
  [named, ...list.also],
  '[TOOL_CALLS][{"name": "function_name", "arguments": {"argument": "value"}}]',
);
