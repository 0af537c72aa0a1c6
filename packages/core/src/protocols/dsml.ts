import { key, name } from "../syntax/parts.js";
import type { Form, Syntax } from "../syntax/syntax.js";
import { deepseekTurns } from "../syntax/turn-tokens.js";
import { textElements, think } from "./parts.js";

/** The mark in the tags, as V4.1 writes it. */
export const SPACED = "｜DSML｜ ";

/** The mark in the tags: as trained, then as V4.1, other models and servers spell it. */
const [MARK, ...OTHERS] = [
  "｜DSML｜",
  SPACED,
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
    ...OTHERS.flatMap((mark) =>
      [...blocks, ...(mark.endsWith("｜ ") ? ["calls"] : [])].map((name) => markupCalls(mark, name)),
    ),
  ];
  return { parallel: true, ...markupCalls(MARK, block), also, spans: [think], turns: deepseekTurns };
}

/** Calls in a block of this name, with this mark in the tags. */
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
export const dsmlExample = (block: string, kind: "FUNCTION" | "TOOL", mark: string = MARK): string =>
  [
    `<${mark}${block}>`,
    `<${mark}invoke name="$${kind}_NAME">`,
    `<${mark}parameter name="$PARAMETER_NAME" string="true|false">$PARAMETER_VALUE</${mark}parameter>`,
    "...",
    `</${mark}invoke>`,
    `<${mark}invoke name="$${kind}_NAME2">`,
    "...",
    `</${mark}invoke>`,
    `</${mark}${block}>`,
  ].join("\n");
