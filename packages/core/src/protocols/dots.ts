import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall } from "../syntax/parts.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { namedResults, think } from "./parts.js";

/**
 * As `hermes`, in a tag of its own.
 *
 * @example
 * // <dots_function_call>{"name": "add", "arguments": {"a": 2, "b": 3}}</dots_function_call>
 */
export const dots = defineProtocol({
  name: "dots",
  about: { models: "dots", source: "the tool parser for rednote-hilab's models; the prompt is ours" },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    call: ["<dots_function_call>", jsonCall, "</dots_function_call>"],
    spans: [think, namedResults.span],
    turns: ["<|userprompt|>"],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "# Tools",
      "",
      nativeTools(tools, context, functionJson),
      "",
      "To call a tool, write:",
      '<dots_function_call>{"name": "tool name", "arguments": {"argument": "value"}}</dots_function_call>',
    ].join("\n"),
  renderResults: namedResults.render,
});
