import { key, name } from "../syntax/parts.js";
import type { Form, Syntax } from "../syntax/syntax.js";
import { deepseekTurns } from "../syntax/turn-tokens.js";
import { textElements, think } from "./parts.js";

/** The mark in the tags: as trained, then as models and servers misspell it. */
const [MARK, ...MISSPELLED] = [
  "｜DSML｜",
  "｜｜DSML｜｜",
  "|DSML|",
  "||DSML||",
  " | DSML | ",
  "｜｜DSML｜｜ ",
] as const;

/** DSML, DeepSeek's markup for calls, inside a block of this name. An attribute marks values that are text. */
export function dsml(block: string): Syntax {
  const blocks = ["function_calls", "tool_calls"];
  const also = [
    ...blocks.map((name) => markupCalls(MARK, name)),
    ...MISSPELLED.flatMap((mark) =>
      [...blocks, ...(mark.endsWith("｜ ") ? ["calls"] : [])].map((name) => markupCalls(mark, name)),
    ),
  ];
  return { parallel: true, ...markupCalls(MARK, block), also, spans: [think], turns: deepseekTurns };
}

/** Calls in this markup, with a mark in its tags. */
export const markupCalls = (mark: string, block: string): Form => ({
  block: { open: `<${mark}${block}>\n`, separator: "\n", close: `\n</${mark}${block}>` },
  call: [
    `<${mark}invoke name="`,
    name,
    '">\n',
    textElements([`<${mark}parameter name="`, key, '" string="', { slot: "string" }, '">'], [`</${mark}parameter>\n`]),
    `</${mark}invoke>`,
  ],
});

/** An example block, for the prompt. */
export const dsmlExample = (block: string, kind: "FUNCTION" | "TOOL"): string =>
  [
    `<｜DSML｜${block}>`,
    `<｜DSML｜invoke name="$${kind}_NAME">`,
    '<｜DSML｜parameter name="$PARAMETER_NAME" string="true|false">$PARAMETER_VALUE</｜DSML｜parameter>',
    "...",
    "</｜DSML｜invoke>",
    `<｜DSML｜invoke name="$${kind}_NAME2">`,
    "...",
    "</｜DSML｜invoke>",
    `</｜DSML｜${block}>`,
  ].join("\n");
