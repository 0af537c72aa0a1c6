import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall } from "../syntax/parts.js";
import type { Form } from "../syntax/syntax.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";
import { namedResults } from "./parts.js";

/** The role in the header of a message with calls, after `assistant`. */
const ROLE = "-> tool/function_call\n";

/** All calls as a list, after this text and the role. */
const calls = (before: string): Form => ({
  block: { open: `${before}${ROLE}[`, separator: ", ", close: "]" },
  call: [jsonCall],
});

/** A call without the brackets of the list. */
const oneCall = (before: string): Form => ({ call: [before + ROLE, jsonCall] });

/**
 * A reply is up to three messages: reasoning, the answer, and all calls as a JSON list. The prompt ends within the header of
 * the first one, after `<|im_start|>assistant`.
 *
 * @example
 * // -> tool/function_call
 * // [{"name": "add", "arguments": {"a": 2, "b": 3}}]
 */
export const hyperclova = defineProtocol({
  name: "hyperclova",
  about: {
    models: "HyperCLOVA X SEED 14B Think",
    source: "the model card of naver-hyperclovax/HyperCLOVAX-SEED-Think-14B, and its tool parser in vLLM",
  },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    ...calls(""),
    also: [
      oneCall(""),
      // Where the tokens are dropped, the header's word is part of the marker.
      calls("assistant "),
      oneCall("assistant "),
    ],
    spans: [
      {
        at: "start",
        open: "/think\n",
        // The header of the next message, which may also follow the answer.
        close: "<|im_end|>\n<|im_start|>assistant",
        alsoClose: ["\nassistant\n"],
        as: "reasoning",
      },
      namedResults.span,
    ],
    stop: ["<|stop|>", "<|endofturn|>", ...namedResults.stop],
  },
  renderTools: (tools, context) =>
    [
      "tool_list",
      context.style === "native"
        ? `[${nativeTools(tools, context, definitionJson, ", ")}]`
        : nativeTools(tools, context, definitionJson),
      "",
      "- If external tools are required, the assistant should not answer directly but must first obtain the necessary information via the assistant -> tool/function_call role, and then respond. To call tools, write:",
      "-> tool/function_call",
      '[{"name": "tool name", "arguments": {"argument": "value"}}]',
    ].join("\n"),
  renderResults: namedResults.render,
});
