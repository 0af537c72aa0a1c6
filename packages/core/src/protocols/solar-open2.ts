import { elementsBody } from "../bodies/elements.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall, key, name } from "../syntax/parts.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";
import { resultsBetween, textElements } from "./parts.js";

/**
 * The name on the line of a token, then each argument between tokens of its own.
 *
 * @example
 * // <|tool_call:start|>add
 * // <|tool_arg:start|>a<|tool_arg:value|>2<|tool_arg:end|>
 * // <|tool_call:end|>
 */
export const solarOpen2 = defineProtocol({
  name: "solar-open2",
  about: { models: "Solar Open 2", source: "the tool parser for upstage's Solar Open 2 in vLLM; the prompt is ours" },
  bodies: [elementsBody, jsonCallBody],
  syntax: {
    parallel: true,
    block: { open: "", separator: "\n", close: "" },
    call: [
      "<|tool_call:start|>",
      name,
      "\n",
      textElements(["<|tool_arg:start|>", key, "<|tool_arg:value|>"], ["<|tool_arg:end|>\n"]),
      "<|tool_call:end|>",
    ],
    // As other formats have it.
    also: [{ call: ["<|tool_call:start|>", jsonCall, "<|tool_call:end|>"] }],
    noise: ["<|im:start|>assistant", "<|im:content|>"],
    spans: [
      { open: "<|think:start|>", close: "<|think:end|>", as: "reasoning" },
      { open: "<|tool_response:start|>", close: "<|tool_response:end|>", as: "dropped" },
    ],
    stop: ["<|tool_response:start|>", "<|im:end|>"],
  },
  renderTools: (tools, context) =>
    [
      "## Tools",
      "",
      "### Available Tools",
      nativeTools(tools, context, (tool) => `<|tool:start|>${definitionJson(tool)}<|tool:end|>`),
      "",
      "### Tool Call Instruction",
      "- To call tools, end your reply with the calls, each in this format:",
      "<|tool_call:start|>{tool-name}",
      "<|tool_arg:start|>{parameter-name}<|tool_arg:value|>{value}<|tool_arg:end|>",
      "...",
      "<|tool_call:end|>",
    ].join("\n"),
  renderResults: resultsBetween("<|tool_response:start|>", "<|tool_response:end|>"),
});
