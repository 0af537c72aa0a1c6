import { jsonBody } from "../bodies/json.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { pythonArgumentsBody } from "../bodies/python-arguments.js";
import { defineProtocol } from "../define-protocol.js";
import { hermes } from "./hermes.js";
import { functionsInTags } from "./parts.js";

/**
 * Calls as in `hermes`; the answer is in a separate element.
 *
 * @example
 * // <tool_call>
 * // {"name": "add", "arguments": {"a": 2, "b": 3}}
 * // </tool_call>
 */
export const ernie = defineProtocol({
  name: "ernie",
  about: {
    models: "Ernie 4.5 Thinking",
    source: "the model card of baidu/ERNIE-4.5-21B-A3B-Thinking; the prompt is ours",
  },
  bodies: [jsonBody, jsonCallBody, pythonArgumentsBody],
  syntax: { ...hermes.syntax, noise: ["<response>", "</response>"] },
  renderTools: (tools, context) =>
    [
      functionsInTags(tools, context),
      "",
      "For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:",
      "<tool_call>",
      '{"name": <function-name>, "arguments": <args-json-object>}',
      "</tool_call>",
    ].join("\n"),
  renderResults: hermes.renderResults,
});
