import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall } from "../syntax/parts.js";
import { gigachatTurns } from "../syntax/turn-tokens.js";
import { nativeTools, typescriptOf } from "../tool-text/index.js";
import { namedResults } from "./parts.js";

/**
 * A token, then one call; 3.0 writes a message of the role `function call` instead. Tools are shown as TypeScript
 * types.
 *
 * @example
 * // <|function_call|>{"name": "add", "arguments": {"a": 2, "b": 3}}
 */
export const gigachat3 = defineProtocol({
  name: "gigachat3",
  about: { models: "GigaChat 3, 3.1", source: "the chat template of ai-sage/GigaChat3.1-10B-A1.8B" },
  bodies: [jsonCallBody],
  syntax: {
    parallel: false,
    call: ["<|function_call|>", jsonCall],
    also: [{ at: "line", call: ["function call<|role_sep|>\n", jsonCall] }],
    noise: ["<|message_sep|>", "<|role_sep|>"],
    turns: gigachatTurns,
    spans: [namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "namespace functions {",
      nativeTools(tools, context, (tool) => `${typescriptOf(tool, { indent: "  " })}\n`),
      "} // namespace functions",
      "",
      'To call a function, write <|function_call|>{"name": "function name", "arguments": {"argument": "value"}}.',
    ].join("\n"),
  renderResults: namedResults.render,
});
