import { elementsBody } from "../bodies/elements.js";
import { defineProtocol } from "../define-protocol.js";
import { key, name } from "../syntax/parts.js";
import type { Part } from "../syntax/syntax.js";
import { glmTurns } from "../syntax/turn-tokens.js";
import { atStart, functionsInTags, resultsBetween, textElements, think } from "./parts.js";

const pairs = textElements(["<arg_key>", key, "</arg_key>\n<arg_value>"], ["</arg_value>\n"]);
const unopened: Part[] = [name, "\n", pairs, "</tool_call>"];

/**
 * The name, then each argument as a pair of tags. Versions 4.5 and 4.6 write newlines between the tags; 4.7 and 5 do
 * not. Laguna and HyperCLOVA X SEED 32B Think write the same calls and results.
 *
 * @example
 * // <tool_call>add
 * // <arg_key>a</arg_key>
 * // <arg_value>2</arg_value>
 * // </tool_call>
 */
export const glm45 = defineProtocol({
  name: "glm45",
  about: {
    models: "GLM 4.5 to 5.3, Ling 3, Spark 2.5 and 3, Laguna, Macaron, HyperCLOVA X SEED 32B Think",
    source: "the chat template of zai-org/GLM-4.6",
  },
  bodies: [elementsBody],
  syntax: {
    parallel: true,
    call: ["<tool_call>", ...unopened],
    also: [
      // The first tag is missing.
      atStart(...unopened),
      // Ling writes an escape in place of the newline.
      { call: ["<tool_call>", name, "\\n", pairs, "</tool_call>"] },
    ],
    spans: [think, { open: "<tool_response>", close: "</tool_response>", as: "dropped" }],
    turns: glmTurns,
    stop: ["<tool_response>", "<|observation|>"],
  },
  renderTools: (tools, context) =>
    [
      functionsInTags(tools, context),
      "",
      "For each function call, output the function name and arguments within the following XML format:",
      "<tool_call>{function-name}",
      "<arg_key>{arg-key-1}</arg_key>",
      "<arg_value>{arg-value-1}</arg_value>",
      "<arg_key>{arg-key-2}</arg_key>",
      "<arg_value>{arg-value-2}</arg_value>",
      "...",
      "</tool_call>",
    ].join("\n"),
  renderResults: resultsBetween("<tool_response>\n", "\n</tool_response>"),
});
