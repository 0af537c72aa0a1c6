import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall } from "../syntax/parts.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { namedResults, think } from "./parts.js";

/**
 * A JSON list of calls that is the whole reply.
 *
 * @example
 * // [{"name": "add", "arguments": {"a": 2, "b": 3}}]
 */
export const jsonList = defineProtocol({
  name: "json-list",
  about: {
    models: "xLAM, Hammer, Arctic, any that answers with a list",
    source: "the model card of Salesforce/xLAM-2-8b-fc-r",
  },
  bodies: [jsonCallBody],
  syntax: {
    at: "reply",
    parallel: true,
    block: { open: "[", separator: ", ", close: "]" },
    call: [jsonCall],
    also: [{ at: "reply", call: [jsonCall] }],
    spans: [think, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "You have access to a set of tools. When using tools, make calls in a single JSON array:",
      "",
      '[{"name": "tool_call_name", "arguments": {"arg1": "value1", "arg2": "value2"}}, ... (additional parallel tool calls as needed)]',
      "",
      "If no tool is suitable, state that explicitly. If the user's input lacks required parameters, ask for clarification. Do not interpret or respond until tool results are returned. Once they are available, process them or make additional calls if needed. For tasks that don't require tools, such as casual conversation or general advice, respond directly in plain text. The available tools are:",
      "",
      nativeTools(tools, context, functionJson),
    ].join("\n"),
  renderResults: namedResults.render,
});
