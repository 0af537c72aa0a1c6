import { jsonCallBody } from "../bodies/json-call.js";
import { pythonArgumentsBody } from "../bodies/python-arguments.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall } from "../syntax/parts.js";
import { resultText } from "../tool-text/error-text.js";
import { plainDefinition } from "../tool-text/json.js";
import { renderJson } from "../tool-text/render-json.js";
import { think } from "./parts.js";

/**
 * Python calls between LFM2's own tokens.
 *
 * @example
 * // <|tool_call_start|>[add(a=2, b=3)]<|tool_call_end|>
 */
export const lfm2 = defineProtocol({
  name: "lfm2",
  about: { models: "LFM2, LFM2.5", source: "the model card and chat template of LiquidAI/LFM2-1.2B" },
  bodies: [jsonCallBody, pythonArgumentsBody],
  syntax: {
    parallel: true,
    block: { open: "<|tool_call_start|>[", separator: ", ", close: "]<|tool_call_end|>" },
    call: [{ slot: "name" }, { body: "python-arguments" }],
    also: [
      {
        block: { open: "<|tool_call_start|>", separator: ", ", close: "<|tool_call_end|>" },
        call: [{ slot: "name" }, { body: "python-arguments" }],
      },
      // Some servers drop the tokens.
      {
        at: "start",
        block: { open: "[", separator: ", ", close: "]" },
        call: [{ slot: "name" }, { body: "python-arguments" }],
      },
      // The model can be asked to write its calls as JSON.
      {
        block: { open: "<|tool_call_start|>[", separator: ", ", close: "]<|tool_call_end|>" },
        call: [jsonCall],
      },
      {
        call: ["<|tool_call_start|>", jsonCall, "<|tool_call_end|>"],
      },
    ],
    spans: [think, { open: "<|tool_response_start|>", close: "<|tool_response_end|>", as: "dropped" }],
    stop: ["<|tool_response_start|>"],
  },
  renderTools(tools, { style, listTools }) {
    const list =
      style === "native" ? tools.map((tool) => renderJson(plainDefinition(tool))).join(", ") : listTools(tools, style);
    return `List of tools: <|tool_list_start|>[${list}]<|tool_list_end|>`;
  },
  renderResults(results) {
    return results.map((result) => `<|tool_response_start|>${resultText(result)}<|tool_response_end|>`).join("");
  },
});
