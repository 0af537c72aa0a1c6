import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall } from "../syntax/parts.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";
import { namedResults } from "./parts.js";

const role = "-> tool/function_call\n";

/**
 * All calls as a JSON list in a message to a role, whose header begins after `<|im_start|>assistant`.
 *
 * @example
 * // -> tool/function_call
 * // [{"name": "add", "arguments": {"a": 2, "b": 3}}]
 */
export const hyperclova = defineProtocol({
  name: "hyperclova",
  about: {
    models: "HyperCLOVA X SEED 14B Think",
    source: "the model card of naver-hyperclovax/HyperCLOVAX-SEED-Think-14B, and its tool parser in vLLM",
  },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    block: { open: `${role}[`, separator: ", ", close: "]" },
    call: [jsonCall],
    also: [
      { call: [role, jsonCall] },
      // A server drops the tokens of the header, not its words.
      { block: { open: `assistant ${role}[`, separator: ", ", close: "]" }, call: [jsonCall] },
      { call: [`assistant ${role}`, jsonCall] },
    ],
    spans: [namedResults.span],
    stop: ["<|stop|>", "<|endofturn|>", ...namedResults.stop],
  },
  renderTools: (tools, context) =>
    [
      "tool_list",
      context.style === "native"
        ? `[${nativeTools(tools, context, definitionJson, ", ")}]`
        : nativeTools(tools, context, definitionJson),
      "",
      "- If external tools are required, the assistant should not answer directly but must first obtain the necessary information via the assistant -> tool/function_call role, and then respond. To call tools, write:",
      "-> tool/function_call",
      '[{"name": "tool name", "arguments": {"argument": "value"}}]',
    ].join("\n"),
  renderResults: namedResults.render,
});
