import { jsonBody } from "../bodies/json.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { name } from "../syntax/parts.js";
import type { Part } from "../syntax/syntax.js";
import { resultText } from "../tool-text/error-text.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";
import { jsonBetween } from "./parts.js";

/** Ids have ten characters: these and the digits of the call's number. */
const ID = "call";
const DIGITS = 6;

const call = (id: string): Part[] => [
  `<|tool_call:begin|>${id}`,
  { slot: "index", digits: DIGITS },
  "<|tool_call:name|>",
  name,
  "<|tool_call:args|>",
  { body: "json" },
  "<|tool_call:end|>",
];
const block = { open: "<|tool_calls|>", separator: "", close: "<|calls|>" };

/**
 * Each call under an id, with tokens between id, name and arguments. Reasoning, answer and calls are messages of their own.
 *
 * @example
 * // <|tool_calls|><|tool_call:begin|>call000000<|tool_call:name|>add<|tool_call:args|>{"a": 2}<|tool_call:end|><|calls|>
 */
export const solarOpen = defineProtocol({
  name: "solar-open",
  about: { models: "Solar Open 100B", source: "the chat template of upstage/Solar-Open-100B" },
  bodies: [jsonBody, jsonCallBody],
  syntax: {
    parallel: true,
    block,
    call: call(ID),
    also: [
      // The model's own ids.
      { block, call: call("") },
      // As the prompt says in words.
      ...jsonBetween("<|tool_call:begin|>", "<|tool_call:end|>", block),
    ],
    noise: ["<|begin|>assistant", "<|content|>", "<|end|>"],
    spans: [
      { open: "<|think|>", close: "<|end|>", as: "reasoning" },
      { open: "<|tool_response:begin|>", close: "<|tool_response:end|>", as: "dropped" },
    ],
    stop: ["<|calls|>", "<|tool_response:begin|>"],
  },
  renderTools: (tools, context) =>
    [
      "## Tools",
      "",
      "### Tool Call Instruction",
      "You may invoke one or more tools to assist with the user's query. Available tools are provided in JSON Schema format: <|tools:begin|><|tool:begin|><tools-json-object><|tool:end|>...<|tools:end|>",
      "",
      "### Available Tools",
      context.style === "native"
        ? `<|tools:begin|>${nativeTools(tools, context, (tool) => `<|tool:begin|>${definitionJson(tool)}<|tool:end|>`, "")}<|tools:end|>`
        : nativeTools(tools, context, definitionJson),
      "",
      "### Tool Call Format",
      "For each tool call, return a JSON object with the following structure, enclosed within <|tool_call:begin|> and <|tool_call:end|> tags: ",
      "<|tool_call:begin|><tool-call-id><|tool_call:name|><tool-name><|tool_call:args|><args-json-object><|tool_call:end|>",
      "- The <tool-call-id> must be a randomly generated string consisting of 10 lowercase letters (a-z) and/or digits (0-9) (e.g., a1b2c3d4e5)",
      "",
      "### Tool Response Format",
      "Each tool is responded by `tool` with the following structure:",
      "<|tool_response:id|><tool-call-id><|tool_response:name|><tool-name><|tool_response:result|><results><|tool_response:end|>",
      "- Ensure the <tool-call-id> matches the corresponding tool call",
    ].join("\n"),
  renderResults: (results) =>
    results
      .map(
        (result, i) =>
          `<|tool_response:begin|>${ID}${String(i).padStart(DIGITS, "0")}<|tool_response:name|>${result.name}<|tool_response:result|>${resultText(result)}<|tool_response:end|>`,
      )
      .join(""),
});
