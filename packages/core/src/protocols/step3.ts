import { elementsBody } from "../bodies/elements.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { key, name } from "../syntax/parts.js";
import type { Part } from "../syntax/syntax.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { jsonBetween, namedResults, textElements, think } from "./parts.js";

const invoke = (prefix: string): Part[] => [
  `<${prefix}invoke name="`,
  name,
  '">',
  textElements([`<${prefix}parameter name="`, key, '">'], [`</${prefix}parameter>`]),
  `</${prefix}invoke><｜tool_call_end｜>`,
];
const block = { open: "<｜tool_calls_begin｜>\n", separator: "\n", close: "\n<｜tool_calls_end｜>" };

/**
 * Tokens around markup of its own.
 *
 * @example
 * // <｜tool_calls_begin｜>
 * // <｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="add"><steptml:parameter name="a">2</steptml:parameter></steptml:invoke><｜tool_call_end｜>
 * // <｜tool_calls_end｜>
 */
export const step3 = defineProtocol({
  name: "step3",
  about: { models: "Step 3", source: "the model card of stepfun-ai/step3; the prompt is ours" },
  bodies: [elementsBody, jsonCallBody],
  syntax: {
    parallel: true,
    block,
    call: ["<｜tool_call_begin｜>function<｜tool_sep｜>", ...invoke("steptml:")],
    also: [
      { block, call: ["<｜tool_call_begin｜>", ...invoke("steptml:")] },
      // Models leave out the namespace.
      { block, call: ["<｜tool_call_begin｜>function<｜tool_sep｜>", ...invoke("")] },
      ...jsonBetween("<｜tool_call_begin｜>", "<｜tool_call_end｜>", block),
    ],
    spans: [think, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "# Tools",
      "",
      nativeTools(tools, context, functionJson),
      "",
      "To call tools, write:",
      block.open +
        '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="{tool}"><steptml:parameter name="{parameter}">{value}</steptml:parameter></steptml:invoke><｜tool_call_end｜>' +
        block.close,
    ].join("\n"),
  renderResults: namedResults.render,
});
