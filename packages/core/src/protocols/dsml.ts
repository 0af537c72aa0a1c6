import type { Body, Form, Syntax } from "../syntax/syntax.js";
import { key, name, textElements, think } from "./parts.js";

const parameters = textElements(
  ['<｜DSML｜parameter name="', key, '" string="', { slot: "string" }, '">'],
  ["</｜DSML｜parameter>\n"],
);

/** DSML, DeepSeek's markup for calls, inside a block of this name. An attribute marks values that are text. */
export function dsml(block: string): Syntax {
  const blocks = ["function_calls", "tool_calls"];
  // Models sometimes write the arguments as JSON inside the invoke.
  const also = [...blocks.map((name) => calls(name)), ...blocks.map((name) => calls(name, { body: "json" }))];
  return { parallel: true, ...calls(block), also, spans: [think] };
}

const calls = (block: string, body: Body = parameters): Form => ({
  block: { open: `<｜DSML｜${block}>\n`, separator: "\n", close: `\n</｜DSML｜${block}>` },
  call: ['<｜DSML｜invoke name="', name, '">\n', body, "</｜DSML｜invoke>"],
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
