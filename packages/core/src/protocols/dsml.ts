import { key, name } from "../syntax/parts.js";
import type { Form, Syntax } from "../syntax/syntax.js";
import { deepseekTurns } from "../syntax/turn-tokens.js";
import { textElements, think } from "./parts.js";

/** The mark in the tags, as trained. */
export const MARK = "｜DSML｜";

/** The same as V4.1 writes it. */
export const SPACED = `${MARK} `;

/** All spellings of it: with other bars and spaces, as other models and servers have them. */
const MARKS = [...[MARK, "｜｜DSML｜｜", "|DSML|", "||DSML||"].flatMap((mark) => [mark, `${mark} `]), " | DSML | "];

/** The names of the block in all versions. Each is read with each spelling of the mark. */
const BLOCKS = ["function_calls", "tool_calls", "calls"];

/** DSML, DeepSeek's markup for calls, inside a block of this name. An attribute marks values that are text. */
export function dsml(block: string): Syntax {
  const also = MARKS.flatMap((mark) => BLOCKS.map((name) => markupCalls(mark, name)));
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
