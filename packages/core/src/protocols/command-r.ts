import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import type { JsonCallBody } from "../syntax/syntax.js";
import { resultText } from "../tool-text/error-text.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";

const call: JsonCallBody = { body: "json-call", index: "tool_call_id", name: "tool_name", arguments: "parameters" };

/**
 * A plan in its own markers, then all calls as a JSON list; each result refers to its call by a number.
 *
 * @example
 * // <|START_ACTION|>[
 * //     {"tool_call_id": "0", "tool_name": "add", "parameters": {"a": 2, "b": 3}}
 * // ]<|END_ACTION|>
 */
export const commandR = defineProtocol({
  name: "command-r",
  about: {
    models:
      "Command R7B, Command A, Command A Plus, North Mini Code; Command R and R+ in their older form are understood",
    source: "the tool_use chat templates of CohereLabs/c4ai-command-r7b-12-2024 and c4ai-command-r-plus",
  },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    block: { open: "<|START_ACTION|>[\n    ", separator: ",\n    ", close: "\n]<|END_ACTION|>" },
    call: [call],
    also: [{ call: ["<|START_ACTION|>", call, "<|END_ACTION|>"] }, { call: ["Action:", "```json", call, "```"] }],
    spans: [
      { open: "<|START_THINKING|>", close: "<|END_THINKING|>", as: "reasoning" },
      { open: "<|START_TOOL_RESULT|>", close: "<|END_TOOL_RESULT|>", as: "dropped" },
    ],
    noise: ["<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>", "<|END_OF_TURN_TOKEN|>"],
    turns: ["USER", "SYSTEM"].map((role) => `<|START_OF_TURN_TOKEN|><|${role}_TOKEN|>`),
    stop: ["<|START_TOOL_RESULT|>"],
  },
  renderTools: (tools, context) =>
    [
      "## Tool Use",
      "Think about how you can make best use of the provided tools to help with the task and come up with a high level plan that you will execute first.",
      "",
      "0. Start by writing <|START_THINKING|> followed by a detailed step by step plan of how you will solve the problem. When you finish, close it out with <|END_THINKING|>.",
      "    You can optionally choose to skip this step when the user request is so straightforward to address that only a trivial plan would be needed.",
      "",
      "Then carry out your plan by repeatedly executing the following steps.",
      '1. Action: write <|START_ACTION|> followed by a list of JSON-formatted tool calls, with each one containing "tool_name" and "parameters" fields, and a "tool_call_id" that counts from "0".',
      "    When there are multiple tool calls which are completely independent of each other (i.e. they can be executed in parallel), you should list them out all together in one step. When you finish, close it out with <|END_ACTION|>.",
      '2. Observation: you will then receive results of those tool calls in JSON format in the very next turn, wrapped around by <|START_TOOL_RESULT|> and <|END_TOOL_RESULT|>. Each result is clearly linked to its originating tool call via its "tool_call_id". NEVER hallucinate results.',
      "",
      "You can repeat these steps multiple times, until you decide it's time to finally respond to the user.",
      "",
      "3. Response: then break out of the loop and write <|START_RESPONSE|> followed by a piece of text which serves as a response to the user's last request. When you finish, close it out with <|END_RESPONSE|>.",
      "",
      "## Available Tools",
      "You can ONLY use the tools listed here. When a tool is not listed below, it is NOT available and you should NEVER attempt to use it.",
      "",
      "```json",
      context.style === "native"
        ? `[\n    ${nativeTools(tools, context, definitionJson, ",\n    ")}\n]`
        : nativeTools(tools, context, definitionJson),
      "```",
    ].join("\n"),
  renderResults(results) {
    const numbered = results.map((result, i) => ({
      tool_call_id: String(i),
      results: { 0: resultText(result) },
      is_error: result.isError ? true : null,
    }));
    return `<|START_TOOL_RESULT|>${JSON.stringify(numbered, null, 4)}<|END_TOOL_RESULT|>`;
  },
});
