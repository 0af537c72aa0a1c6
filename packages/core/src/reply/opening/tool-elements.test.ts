import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
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

describe.each(["tool-tags", "yaml"] as const)("an element named after a tool, in %s", (protocol) => {
  test.each([
    "<b><f></b> returns a number.",
    "<ul>\n<li><f></li>\n<li><ship.order></li>\n</ul>",
    "<tools>\n<f>\n</tools>",
    "<f></div>",
    "<f></ship.order>",
  ])("is text where the closing tag is another element's: %s", (reply) =>
    expect(readings(reply, protocol)).toEqual([]),
  );

  test.each([
    "<now>\n</tool>",
    "<now></function>",
    "<tool_call>\n<now>\n</tool_call>",
    "<now></Now>",
    "<now></x:call>",
  ])("is a call where that of a call closes it: %s", (reply) =>
    expect(pieces(reply, protocol).filter(([kind]) => kind !== "dropped")).toEqual([["call", "now"]]),
  );
});
