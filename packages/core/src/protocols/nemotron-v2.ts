import { jsonCallBody } from "../bodies/json-call.js";
import { pythonArgumentsBody } from "../bodies/python-arguments.js";
import { isJson } from "../common/json-text.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall, name } from "../syntax/parts.js";
import { resultText } from "../tool-text/error-text.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";
import type { ToolResult } from "../types.js";
import { think } from "./parts.js";

const block = { open: "<TOOLCALL>[", separator: ", ", close: "]</TOOLCALL>" };

/**
 * All calls as a JSON list in a tag. Also read: Python calls in such a list, which the larger models write.
 *
 * @example
 * // <TOOLCALL>[{"name": "add", "arguments": {"a": 2, "b": 3}}]</TOOLCALL>
 */
export const nemotronV2 = defineProtocol({
  name: "nemotron-v2",
  about: {
    models: "Nemotron Nano 2, Llama Nemotron",
    source:
      "the chat template of nvidia/NVIDIA-Nemotron-Nano-9B-v2; for Python calls the leaderboard's handler of Llama Nemotron",
  },
  bodies: [jsonCallBody, pythonArgumentsBody],
  syntax: {
    parallel: true,
    block,
    call: [jsonCall],
    also: [
      { call: ["<TOOLCALL>", jsonCall, "</TOOLCALL>"] },
      // The larger models are asked for Python calls.
      { block, call: [name, { body: "python-arguments" }] },
    ],
    spans: [think, { open: "<TOOL_RESPONSE>", close: "</TOOL_RESPONSE>", as: "dropped" }],
    noise: ["<SPECIAL_12>"],
    turns: ["<SPECIAL_11>User", "<SPECIAL_10>System"],
    stop: ["<TOOL_RESPONSE>"],
  },
  renderTools: (tools, context) =>
    [
      "You can use the following tools to assist the user if required:",
      `<AVAILABLE_TOOLS>${context.style === "native" ? `[${nativeTools(tools, context, definitionJson, ", ")}]` : `\n${nativeTools(tools, context, definitionJson)}\n`}</AVAILABLE_TOOLS>`,
      "",
      "If you decide to call any tool(s), use the following format:",
      '<TOOLCALL>[{"name": "tool_name1", "arguments": {"argument": "value"}}, {"name": "tool_name2", "arguments": {}}]</TOOLCALL>',
      "",
      "The user will execute tool-calls and return responses from tool(s) in this format:",
      "<TOOL_RESPONSE>[tool_response1, tool_response2]</TOOL_RESPONSE>",
      "",
      "Based on the tool responses, you can call additional tools if needed, correct tool calls if any errors are found, or just respond to the user.",
    ].join("\n"),
  renderResults: (results) => `<TOOL_RESPONSE>[${results.map(resultJson).join(", ")}]</TOOL_RESPONSE>`,
});

/**
 * A result as one item of the list. Text that is not JSON becomes a JSON string if a comma in it would separate two
 * results.
 */
function resultJson(result: ToolResult): string {
  const text = resultText(result);
  return !text.includes(",") || isJson(text) ? text : JSON.stringify(text);
}
