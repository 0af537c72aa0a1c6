import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const order = [["ship.order", { depot: "Oslo", boxes: 3 }]];
const name = (element: string) => `<${element}>ship.order</${element}>`;
const parameters = '<parameter name="depot">Oslo</parameter>\n<parameter name="boxes">3</parameter>';
const pairs =
  "<arg_key>depot</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>boxes</arg_key>\n<arg_value>3</arg_value>";

describe.each(["name", "tool_name"])("the tool's name in <%s>", (element) => {
  test.each([
    ["glm45", `<tool_call>\n${name(element)}\n${pairs}\n</tool_call>`],
    [
      "qwen3-coder",
      `<tool_call>\n<function>\n${name(element)}\n<parameter=depot>\nOslo\n</parameter>\n<parameter=boxes>3</parameter>\n</function>\n</tool_call>`,
    ],
    ["minimax-m2", `<minimax:tool_call>\n<invoke>\n${name(element)}\n${parameters}\n</invoke>\n</minimax:tool_call>`],
    [
      "minimax-m2",
      `<minimax:tool_call><invoke>${name(element)}<depot>Oslo</depot><boxes>3</boxes></invoke></minimax:tool_call>`,
    ],
    ["am-xml", `<am:tool_call>${name(element)}<depot>Oslo</depot><boxes>3</boxes></am:tool_call>`],
  ] as const)("is read in %s: %s", (protocol, reply) => expect(readings(reply, protocol)).toEqual(order));

  test.each([
    ["without the tag around the calls", `<invoke>${name(element)}<depot>Oslo</depot></invoke>`],
    ["in a sentence", `Write <minimax:tool_call> and <invoke>, then ${name(element)}.`],
  ])("is text %s", (_, reply) => expect(readings(reply, "minimax-m2")).toEqual([]));

  test("of no tool makes no call", () =>
    expect(readings(`<tool_call>\n<${element}>nothing</${element}>\n${pairs}\n</tool_call>`, "glm45")).toEqual([
      "unknown-tool",
    ]));
});

test.each([
  ["am-xml", `<am:tool_call>${name("am:name")}<depot>Oslo</depot><boxes>3</boxes></am:tool_call>`],
  [
    "am-xml",
    `<am:tool_call>\n${name("am:tool_name")}\n<am:arguments>\n<depot>Oslo</depot>\n<boxes>3</boxes>\n</am:arguments>\n</am:tool_call>`,
  ],
  ["hermes", `<am:tool_call>${name("am:name")}<am:depot>Oslo</am:depot><am:boxes>3</am:boxes></am:tool_call>`],
  [
    "minimax-m2",
    `<minimax:tool_call>\n<invoke>\n${name("minimax:name")}\n${parameters}\n</invoke>\n</minimax:tool_call>`,
  ],
] as const)("the tool's name may be in the namespace of its call, in %s: %s", (protocol, reply) =>
  expect(readings(reply, protocol)).toEqual(order),
);
