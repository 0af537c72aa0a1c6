import { jsonBody } from "../bodies/json.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { markedElementsBody } from "../bodies/marked-elements.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall, name } from "../syntax/parts.js";
import type { Body, Form } from "../syntax/syntax.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";
import { resultsBetween } from "./parts.js";

/** The special token before each tag. */
const mark = "]<]minimax[>[";

const elements: Body = { body: "marked-elements", mark };

/** A block of calls, with these marks before its closing tag and before the opening and closing tags of each call. */
const calls = (
  close = mark,
  invoke = mark,
  closeInvoke = mark,
  body: Body = elements,
): Pick<Form, "block" | "call"> => ({
  block: { open: `${mark}<tool_call>\n`, separator: "\n", close: `\n${close}</tool_call>` },
  call: [`${invoke}<invoke name="`, name, '">', body, `${closeInvoke}</invoke>`],
});

const either = [mark, ""];

/**
 * All calls in one block, arguments as nested elements, with a special token before each tag.
 *
 * @example
 * // ]<]minimax[>[<tool_call>
 * // ]<]minimax[>[<invoke name="add">]<]minimax[>[<a>2]<]minimax[>[</a>]<]minimax[>[</invoke>
 * // ]<]minimax[>[</tool_call>
 */
export const minimaxM3 = defineProtocol({
  name: "minimax-m3",
  about: {
    models: "MiniMax M3",
    source: "the chat template of MiniMaxAI/MiniMax-M3, and its parsers in vLLM and SGLang",
  },
  bodies: [markedElementsBody, jsonBody, jsonCallBody],
  syntax: {
    parallel: true,
    ...calls(),
    also: [
      // Models leave the token out before some of the tags; a server that decodes no special tokens, before all.
      ...either
        .flatMap((close) => either.flatMap((invoke) => either.map((closeInvoke) => calls(close, invoke, closeInvoke))))
        .slice(1),
      calls(mark, mark, mark, { body: "json" }),
      { ...calls(), call: [jsonCall] },
    ],
    noise: [mark],
    spans: [
      { open: "<mm:think>", close: "</mm:think>", as: "reasoning" },
      { open: "<response>", close: "</response>", as: "dropped" },
    ],
    stop: ["<response>"],
  },
  renderTools: (tools, context) =>
    [
      "# Tools",
      "You may call one or more tools to assist with the user query.",
      "Here are the tools available in JSONSchema format:",
      "",
      "<tools>",
      nativeTools(tools, context, (tool) => `<tool>${definitionJson(tool)}</tool>`),
      "</tools>",
      "",
      `To call tools, wrap all invocations in a single ${mark}<tool_call>${mark}</tool_call> block. ` +
        "Parameter values containing nested objects or arrays are recursively expanded into XML elements. Example:",
      "",
      `${mark}<tool_call>`,
      [
        '<invoke name="tool-name-1">',
        "<param-1>value-1",
        "</param-1>",
        "<param-2>",
        "<item>",
        "<key-a>val-a",
        "</key-a>",
        "<key-b>val-b",
        "</key-b>",
        "</item>",
        "</param-2>",
        "</invoke>\n",
        '<invoke name="tool-name-2">',
        "<param-1>value-1",
        "</param-1>",
        "</invoke>",
      ]
        .map((tag) => mark + tag)
        .join(""),
      `${mark}</tool_call>`,
    ].join("\n"),
  renderResults: resultsBetween("<response>", "</response>"),
});
