import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { functionOf } from "../tool-text/index.js";
import { callList, namedResults, think } from "./parts.js";

const list = callList("<|tool_call|>", "");

/**
 * A token, then all calls as a JSON list.
 *
 * @example
 * // <|tool_call|>[{"name": "add", "arguments": {"a": 2, "b": 3}}]
 */
export const granite = defineProtocol({
  name: "granite",
  about: { models: "Granite 3.0 to 3.3", source: "the chat template of ibm-granite/granite-3.3-2b-instruct" },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    ...list,
    // 3.0 and 3.1 write the token as a tag.
    also: [...list.also, { block: { open: "<tool_call>[", separator: ",", close: "]" }, call: list.call }],
    spans: [think, namedResults.span],
    // After its reasoning, 3.2 and 3.3 write the answer in an element.
    noise: ["<response>", "</response>"],
    stop: namedResults.stop,
  },
  renderTools: (tools, { style, listTools }) =>
    [
      "You are a helpful assistant with access to the following tools. When a tool is required to answer the user's query, respond only with <|tool_call|> followed by a JSON list of tools used. If a tool does not exist in the provided list of tools, notify the user that you do not have the ability to fulfill the request.",
      "",
      style === "native" ? JSON.stringify(tools.map(functionOf), null, 4) : listTools(tools, style),
      "",
      'A tool used is written as {"name": "tool name", "arguments": {"argument": "value"}}.',
    ].join("\n"),
  renderResults: namedResults.render,
});
