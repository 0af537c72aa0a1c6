import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const order = [["ship.order", { depot: "Oslo", boxes: 3 }]];
const json = '{"depot": "Oslo", "boxes": 3}';
const formats = {
  "qwen3-coder": {
    around: (text: string) => `<tool_call>\n<function=ship.order>\n${text}\n</function>\n</tool_call>`,
    given: "<parameter=depot>\nOslo\n</parameter>\n<parameter=boxes>\n3\n</parameter>",
  },
  "minimax-m2": {
    around: (text: string) =>
      `<minimax:tool_call>\n<invoke name="ship.order">\n${text}\n</invoke>\n</minimax:tool_call>`,
    given: '<parameter name="depot">Oslo</parameter>\n<parameter name="boxes">3</parameter>',
  },
} as const;

describe.each(Object.keys(formats) as (keyof typeof formats)[])("in %s", (protocol) => {
  const { around, given } = formats[protocol];

  test.each(["arguments", "params", "input", "kwargs", "tool_input", "toolParameters", "function_arguments"])(
    "an element around the arguments may have every name that their object has in JSON: %s",
    (tag) => {
      for (const inside of [given, json, "<depot>Oslo</depot><boxes>3</boxes>"])
        expect(readings(around(`<${tag}>\n${inside}\n</${tag}>`), protocol)).toEqual(order);
    },
  );
});
