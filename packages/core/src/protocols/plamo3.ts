import { jsonBody } from "../bodies/json.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { name } from "../syntax/parts.js";
import type { Form } from "../syntax/syntax.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { jsonBetween, namedResults } from "./parts.js";

const begin = (part: string) => `<|plamo:begin_${part}:plamo|>`;
const end = (part: string) => `<|plamo:end_${part}:plamo|>`;

const block = { open: begin("tool_requests"), separator: "", close: end("tool_requests") };

/** Calls with this text before the arguments. */
const calls = (type: string): Pick<Form, "block" | "call"> => ({
  block,
  call: [
    begin("tool_request") + begin("tool_name"),
    name,
    end("tool_name") + begin("tool_arguments") + type,
    { body: "json" },
    end("tool_arguments") + end("tool_request"),
  ],
});

const rendered = calls("<|plamo:constrain|>json<|plamo:msg|>");

/**
 * Each part of a call in markers of its own.
 *
 * @example
 * // <|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>add<|plamo:end_tool_name:plamo|>
 * // <|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{"a": 2, "b": 3}<|plamo:end_tool_arguments:plamo|>
 * // <|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>
 */
export const plamo3 = defineProtocol({
  name: "plamo3",
  about: { models: "PLaMo 3", source: "the tool parsers for PLaMo 3 in vLLM and SGLang; the prompt is ours" },
  bodies: [jsonBody, jsonCallBody],
  syntax: {
    parallel: true,
    ...rendered,
    also: [
      // The type of the arguments, or a token beside it, is left out.
      ...["<|plamo:msg|>", "<|plamo:constrain|>json", "json<|plamo:msg|>", "json", ""].map(calls),
      ...jsonBetween(begin("tool_request"), end("tool_request"), block),
    ],
    spans: [{ open: begin("think"), close: end("think"), as: "reasoning" }, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "You can call these tools:",
      nativeTools(tools, context, functionJson),
      "",
      "To call tools, write one block, with each call in its own markers:",
      [block.open, ...rendered.call, block.close]
        .map((part) => (typeof part === "string" ? part : part === name ? "tool name" : '{"argument": "value"}'))
        .join(""),
    ].join("\n"),
  renderResults: namedResults.render,
});
