import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const order = [["ship.order", { depot: "Oslo", boxes: 3 }]];
const qwen = (args: string) => `<tool_call>\n<function=ship.order>\n${args}\n</function>\n</tool_call>`;
const glm = (args: string) => `<tool_call>ship.order\n${args}\n</tool_call>`;
const xml = (inside: string) => `<tool_call>\n${inside}\n</tool_call>`;
const noCall = (reply: string, protocol: Parameters<typeof readings>[1]) =>
  expect(readings(reply, protocol)?.filter((found) => typeof found !== "string")).toEqual([]);

describe("a closing tag without its bracket", () => {
  test.each([
    ["before the next argument", qwen("<parameter=depot>\nOslo\n</parameter\n<parameter=boxes>\n3\n</parameter>")],
    ["before the end of the call", qwen("<parameter=depot>Oslo</parameter>\n<parameter=boxes>\n3\n</parameter")],
    ["on one line", qwen("<parameter=depot>Oslo</parameter <parameter=boxes>3</parameter>")],
  ])("ends its value %s", (_, reply) => expect(readings(reply, "qwen3-coder")).toEqual(order));

  test("is text where words follow", () =>
    expect(readings(qwen("<parameter=depot>\n</parameter is a tag\n</parameter>"), "qwen3-coder")).toEqual([
      ["ship.order", { depot: "</parameter is a tag" }],
    ]));
});

describe("a number without its closing tag", () => {
  test.each([
    ["qwen3-coder", qwen("<parameter=boxes>3<parameter=depot>Oslo</parameter>")],
    ["qwen3-coder", qwen("<parameter=boxes>\n3\n<parameter=depot>\nOslo\n</parameter>")],
    ["tool-tags", "<ship.order><boxes>3<depot>Oslo</depot></ship.order>"],
    ["glm45", glm("<arg_key>boxes</arg_key><arg_value>3<arg_key>depot</arg_key><arg_value>Oslo</arg_value>")],
  ] as const)("ends before the next argument in %s", (protocol, reply) =>
    expect(readings(reply, protocol)).toEqual([["ship.order", { boxes: 3, depot: "Oslo" }]]),
  );

  test.each([
    ["it is not there at all", qwen("<parameter=boxes><parameter=depot>Oslo</parameter>")],
    [
      "the tag is that of an argument before",
      qwen("<parameter=depot>a</parameter><parameter=boxes>3<parameter=depot>b"),
    ],
  ])("makes no call where %s", (_, reply) => noCall(reply, "qwen3-coder"));
});

describe("a list without its closing tag", () => {
  const query = (args: string) => `<function=save_tasks>\n${args}\n</function>`;

  test("ends before the next argument if it is complete", () =>
    expect(readings(query('<parameter=names>["a"]<parameter=tasks>[1]</parameter>'), "qwen3-coder")).toEqual([
      ["save_tasks", { names: ["a"], tasks: [1] }],
    ]));

  test("contains a tag in quotes", () =>
    expect(readings(query('<parameter=names>["<parameter=tasks>"]</parameter>'), "qwen3-coder")).toEqual([
      ["save_tasks", { names: ["<parameter=tasks>"] }],
    ]));

  test("makes no call as plain text, which may contain the tag", () =>
    noCall(query("<parameter=names>a, b<parameter=tasks>[1]</parameter>"), "qwen3-coder"));

  test.each([
    ["text", "<save_tasks><names>a, b\n<tasks>[1]</tasks></save_tasks>"],
    ["items", "<save_tasks><names><item>a</item>\n<tasks>[1]</tasks></save_tasks>"],
    ["JSON", '<save_tasks><names>["a"]\n<tasks>[1]</tasks></save_tasks>'],
    ["an object", "<open_file><place><city>Oslo</city>\n<path>/a</path></open_file>"],
  ])("makes no call as %s before an element that may be its own", (_, reply) => noCall(reply, "tool-tags"));

  test("may have a tag in its JSON", () =>
    expect(readings('<save_tasks><names>["<tasks>"]</save_tasks>', "tool-tags")).toEqual([
      ["save_tasks", { names: ["<tasks>"] }],
    ]));

  test("makes no call if it does not end, with 20,000 tags in it", () =>
    noCall(query(`<parameter=names>[${"<parameter=tasks>".repeat(20_000)}</parameter>`), "qwen3-coder"));
});

describe("the key of an argument without its closing tag", () => {
  test.each([
    [
      "on a line of its own",
      glm("<arg_key>depot\n<arg_value>Oslo</arg_value>\n<arg_key>boxes\n<arg_value>3</arg_value>"),
    ],
    [
      "before the value",
      glm("<arg_key>depot<arg_value>Oslo</arg_value><arg_key>boxes</arg_key><arg_value>3</arg_value>"),
    ],
  ])("ends where it is declared: %s", (_, reply) => expect(readings(reply, "glm45")).toEqual(order));

  test.each([
    ["it is not declared", glm("<arg_key>city<arg_value>Oslo</arg_value>")],
    ["no value follows", glm("<arg_key>depot\n<arg_key>boxes</arg_key><arg_value>3</arg_value>")],
  ])("makes no call where %s", (_, reply) => noCall(reply, "glm45"));
});

describe("the tool's name without its closing tag", () => {
  test.each([
    ["on a line of its own", xml('<name>ship.order\n<arguments>{"depot": "Oslo", "boxes": 3}</arguments>')],
    ["before the arguments", xml('<name>ship.order<arguments>{"depot": "Oslo", "boxes": 3}</arguments>')],
  ])("ends there: %s", (_, reply) => expect(readings(reply, "xml")).toEqual(order));

  test.each([
    ["words follow it", xml('<name>ship.order\nto Oslo\n<arguments>{"depot": "Oslo"}</arguments>')],
    ["another name follows it", '<name>ship.order<name>book</name>\n<arguments>{"depot": "Oslo"}</arguments>'],
    ["an argument follows it", '<name>ship.order<depot>Rome</depot></name>\n<arguments>{"depot": "Oslo"}</arguments>'],
    ["another closing tag follows it", xml('<name>ship.order</tool>\n<arguments>{"depot": "Oslo"}</arguments>')],
  ])("makes no call where %s", (_, reply) => noCall(reply, "xml"));
});

test("a tag that has two names makes no call", () => {
  const invoke = (attributes: string) =>
    `<invoke ${attributes}>\n<parameter name="room">hall</parameter>\n</invoke>\n</minimax:tool_call>`;
  const reply = (attributes: string) => `<minimax:tool_call>\n${invoke(attributes)}`;
  noCall(reply('name="read_meter" name="set_lamp"'), "minimax-m2");
  expect(readings(reply('name="set_lamp" name="set_lamp"'), "minimax-m2")).toEqual([["set_lamp", { room: "hall" }]]);
});
