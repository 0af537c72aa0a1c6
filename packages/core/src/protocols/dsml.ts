import type { Form, Syntax } from "../protocol.js";
import { key, name, textElements, think } from "./parts.js";

/** DSML, DeepSeek's markup of calls, inside a block of this name. Whether a value is text stands in an attribute. */
export function dsml(block: string): Syntax {
  return { parallel: true, ...calls(block), also: ["function_calls", "tool_calls"].map(calls), spans: [think] };
}

const calls = (block: string): Form => ({
  block: { open: `<｜DSML｜${block}>\n`, separator: "\n", close: `\n</｜DSML｜${block}>` },
  call: [
    '<｜DSML｜invoke name="',
    name,
    '">\n',
    textElements(
      ['<｜DSML｜parameter name="', key, '" string="', { slot: "string" }, '">'],
      ["</｜DSML｜parameter>\n"],
    ),
    "</｜DSML｜invoke>",
  ],
});

/** How a block looks, for the prompt. */
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
