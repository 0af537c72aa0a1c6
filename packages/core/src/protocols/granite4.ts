import { jsonBody } from "../bodies/json.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { pythonArgumentsBody } from "../bodies/python-arguments.js";
import { defineProtocol } from "../define-protocol.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { hermes } from "./hermes.js";

/**
 * Calls and results as in `hermes`, tools in Granite 4's own words.
 *
 * @example
 * // <tool_call>
 * // {"name": "add", "arguments": {"a": 2, "b": 3}}
 * // </tool_call>
 */
export const granite4 = defineProtocol({
  name: "granite4",
  about: { models: "Granite 4.0, 4.1", source: "the chat template of ibm-granite/granite-4.0-h-small" },
  bodies: [jsonBody, jsonCallBody, pythonArgumentsBody],
  syntax: hermes.syntax,
  renderTools: (tools, context) =>
    [
      "You are a helpful assistant with access to the following tools. You may call one or more tools to assist with the user query.",
      "",
      "You are provided with function signatures within <tools></tools> XML tags:",
      "<tools>",
      nativeTools(tools, context, functionJson),
      "</tools>",
      "",
      "For each tool call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:",
      "<tool_call>",
      '{"name": <function-name>, "arguments": <args-json-object>}',
      "</tool_call>. If a tool does not exist in the provided list of tools, notify the user that you do not have the ability to fulfill the request.",
    ].join("\n"),
  renderResults: hermes.renderResults,
});
