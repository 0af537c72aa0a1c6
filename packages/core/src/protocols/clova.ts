import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import type { Form } from "../syntax/syntax.js";
import { definitionJson, nativeList } from "../tool-text/index.js";
import { callList, namedResults } from "./parts.js";

/** The header of the message with the calls, after the role that a prompt may have ended with. */
const RECIPIENT = " -> tool/function_call\n";
const HEADER = `<|im_start|>assistant${RECIPIENT}`;

const list = callList(HEADER, "");
/** Where the prompt ends with the role, and where a server drops the token before it. */
const headless = [RECIPIENT, `assistant${RECIPIENT}`].map((open) => callList(open, ""));

/**
 * A JSON list of calls, as a message of its own whose header names the recipient.
 *
 * @example
 * // <|im_start|>assistant -> tool/function_call
 * // [{"name": "add", "arguments": {"a": 2, "b": 3}}]
 */
export const clova = defineProtocol({
  name: "clova",
  about: {
    models: "HyperCLOVA X SEED 14B Think",
    source: "the model card of naver-hyperclovax/HyperCLOVAX-SEED-Think-14B; its tool parser in vLLM",
  },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    ...list,
    also: [
      ...list.also,
      ...headless
        .flatMap((form) => [form, ...form.also])
        .map(({ block, call }): Form => ({ at: "start", block: block!, call })),
    ],
    spans: [{ open: "/think\n", close: "<|im_end|>", as: "reasoning" }, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "In this environment, various tools can be used to answer users' questions:",
      nativeList(tools, context, definitionJson),
      "",
      "If tools are required, do not answer directly, but first write the calls in the assistant -> tool/function_call role:",
      `${HEADER}[{"name": "tool name", "arguments": {"parameter": "value"}}]`,
    ].join("\n"),
  renderResults: namedResults.render,
});
