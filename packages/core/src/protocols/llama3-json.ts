import { jsonBody } from "../bodies/json.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { pythonArgumentsBody } from "../bodies/python-arguments.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall, name } from "../syntax/parts.js";
import { indentedFunctionJson, nativeTools } from "../tool-text/index.js";
import { namedResults, parametersCall } from "./parts.js";

/**
 * A JSON object that is the whole reply. The template allows one call; models that are asked for several separate them
 * with semicolons.
 *
 * @example
 * // {"name": "add", "parameters": {"a": 2, "b": 3}}
 */
export const llama3Json = defineProtocol({
  name: "llama3-json",
  about: {
    models: "Llama 3.1, 3.2 and 3.3",
    source: "the chat templates of meta-llama/Llama-3.1-8B-Instruct and Llama-3.2-3B-Instruct",
  },
  bodies: [jsonBody, jsonCallBody, pythonArgumentsBody],
  syntax: {
    at: "reply",
    parallel: true,
    block: { open: "", separator: "; ", close: "" },
    call: [parametersCall],
    also: [
      // The token for calls of built-in tools also occurs before other calls.
      { block: { open: "<|python_tag|>", separator: ";", close: "" }, call: [parametersCall] },
      // Calls of built-in tools are code.
      { call: ["<|python_tag|>", name, ".call", { body: "python-arguments" }] },
      { call: ["<function=", name, ">", { body: "json" }, "</function>"] },
      // Seen with Llama 3.3: the arguments inside the tag.
      { call: ["<function=", name, { body: "json" }, "></function>"] },
      { at: "reply", block: { open: "[", separator: ", ", close: "]" }, call: [jsonCall] },
    ],
    noise: ["<|eom_id|>", "<|eot_id|>", "<|end_header_id|>"],
    spans: [namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "You have access to the following functions. To call a function, please respond with JSON for a function call.",
      'Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}. Do not use variables.',
      "",
      nativeTools(tools, context, indentedFunctionJson, "\n\n"),
    ].join("\n"),
  renderResults: namedResults.render,
});
