import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const order = [["ship.order", { depot: "Oslo", boxes: 3 }]];
const elements = "<depot>Oslo</depot><boxes>3</boxes>";
const json = '{"depot": "Oslo", "boxes": 3}';

describe.each(["hermes", "xml", "am-xml", "qwen3-coder", "tool-tags", "auto"] as const)("in %s", (protocol) => {
  test.each(
    ["arguments", "args", "parameters", "params", "kwargs", "tool_input", "Arguments"].flatMap((tag) =>
      [json, elements, `\n${json}\n`].map((content) => `<ship.order>\n<${tag}>${content}</${tag}>\n</ship.order>`),
    ),
  )("a tag around the arguments is read in an element named after the tool: %s", (reply) =>
    expect(readings(reply, protocol)).toEqual(order),
  );
});

test.each([
  '<ship.order><input type="text"></ship.order>',
  "<ship.order><input>{</ship.order>",
  "<ship.order><b>Oslo</b></ship.order>",
  "It is\n<ship.order>\n<args>...</args>\n</ship.order>\nas you see.",
  "<ship.order><arguments>the arguments as JSON</arguments></ship.order>",
])("other markup in such an element is text in another format: %s", (reply) =>
  expect(readings(reply, "hermes")).toEqual([]),
);
