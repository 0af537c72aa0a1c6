import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { definitionJson, nativeList } from "../tool-text/index.js";
import { namedResults, parametersCall } from "./parts.js";

/**
 * A JSON object between tokens that also say which kind of tool it is for.
 *
 * @example
 * // <|action_start|><|plugin|>
 * // {"name": "add", "parameters": {"a": 2, "b": 3}}<|action_end|>
 */
export const internlm2 = defineProtocol({
  name: "internlm2",
  about: { models: "InternLM 2, 2.5, 3, Intern-S1", source: "chat/chat_format.md of InternLM/InternLM" },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    block: { open: "", separator: "", close: "" },
    call: ["<|action_start|><|plugin|>\n", parametersCall, "<|action_end|>"],
    also: [
      { call: ["<|action_start|>\n", parametersCall, "<|action_end|>"] },
      // The names of these tokens in the tokenizer's own vocabulary, where a server does not know the added ones.
      { call: ["[UNUSED_TOKEN_144][UNUSED_TOKEN_141]\n", parametersCall, "[UNUSED_TOKEN_143]"] },
    ],
    // The second token without the first; and as above, the name of the end of a turn.
    noise: ["<|plugin|>", "[UNUSED_TOKEN_145]"],
    spans: [namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "You can call these tools:",
      nativeList(tools, context, definitionJson),
      "",
      "To call one, write:",
      '<|action_start|><|plugin|>\n{"name": "tool name", "parameters": {"parameter": "value"}}<|action_end|>',
    ].join("\n"),
  renderResults: namedResults.render,
});
