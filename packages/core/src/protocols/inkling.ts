import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { name } from "../syntax/parts.js";
import type { Form, Part } from "../syntax/syntax.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { namedResults } from "./parts.js";

const HEADER = "<|message_model|>";
const CALL = "<|content_invoke_tool_json|>";
const END = "<|end_message|>";

/** How a message of a kind begins. The first header may be part of the prompt. */
const opened = (kind: string) => [HEADER, ""].map((header) => `${header}<|content_${kind}|>`);

const calls = (...opener: Part[]): Pick<Form, "block" | "call"> => ({
  block: { open: "", separator: "", close: "" },
  call: [...opener, { body: "json-call", name: "name", arguments: "args" }, END],
});

/**
 * A reply is a sequence of messages, each with a token for its kind: reasoning, text, or a call as a JSON object. In the
 * template, a call's header has the tool's name too; it is read with and without it.
 *
 * @example
 * // <|message_model|><|content_invoke_tool_json|>{"name": "add", "args": {"a": 2, "b": 3}}<|end_message|>
 */
export const inkling = defineProtocol({
  name: "inkling",
  about: { models: "Inkling", source: "the parser and renderer of Inkling in vLLM; the prompt is ours" },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    ...calls(HEADER + CALL),
    also: [calls(HEADER, name, CALL), calls(CALL)],
    spans: [...opened("thinking").map((open) => ({ open, close: END, as: "reasoning" as const })), namedResults.span],
    noise: [...opened("text"), END, "<|content_model_end_sampling|>"],
    turns: ["user", "tool", "system"].map((role) => `<|message_${role}|>`),
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "You can call these tools:",
      nativeTools(tools, context, functionJson),
      "",
      "To call one, write a message such as:",
      `${HEADER}${CALL}{"name": "tool name", "args": {"argument": "value"}}${END}`,
    ].join("\n"),
  renderResults: namedResults.render,
});
