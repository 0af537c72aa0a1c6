import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";
import { createReplyParser } from "../../index.js";

const lamp = [["set_lamp", { room: "attic", level: 3 }]];
const call = (args: string) => `<tool_call>\n<function=set_lamp>\n${args}\n</function>\n</tool_call>`;
const glm = (args: string) => `<tool_call>set_lamp\n${args}\n</tool_call>`;

describe("a value whose closing tag is another one", () => {
  test.each([
    ["its key", call("<parameter=room>\nattic\n</room>\n<parameter=level>\n3\n</level>"), "qwen3-coder"],
    [
      "its opening tag",
      call("<parameter=room>attic</parameter=room>\n<parameter=level>3</parameter=level>"),
      "qwen3-coder",
    ],
    [
      "its opening tag, as is the call's",
      "<tool_call>\n<function=set_lamp>\n<parameter=room>\nattic\n</parameter=room>\n<parameter=level>\n3\n</parameter=level>\n</function=set_lamp>\n</tool_call>",
      "qwen3-coder",
    ],
    ["its key, once", call("<parameter=room>attic</room><parameter=level>3</parameter>"), "qwen3-coder"],
    [
      "that of the key",
      glm("<arg_key>room</arg_key>\n<arg_value>attic</arg_key>\n<arg_key>level</arg_key>\n<arg_value>3</arg_key>"),
      "glm45",
    ],
  ] as const)("ends there: %s", (_, reply, protocol) => expect(readings(reply, protocol)).toEqual(lamp));

  test.each([
    ["in the value", "<b>x</b></room> y"],
    ["of an element of the value", "<room>x</room>"],
    ["of an element of the value, on lines", "\n<room>\nx\n</room>\n"],
  ])("goes on where it is a tag %s", (_, room) =>
    expect(
      readings(call(`<parameter=room>${room}</parameter>\n<parameter=level>\n3\n</parameter>`), "qwen3-coder"),
    ).toEqual([["set_lamp", { room: room.trim(), level: 3 }]]),
  );

  test("goes on where closing tags with values are text of it", () => {
    const text = "Close with </parameter=room></function=set_lamp> and stop.";
    expect(
      readings(call(`<parameter=room>\n${text}\n</parameter>\n<parameter=level>\n3\n</parameter>`), "qwen3-coder"),
    ).toEqual([["set_lamp", { room: text, level: 3 }]]);
  });

  test("makes no call where the value opened such an element, whose own closing tag it may be", () =>
    expect(readings(call("<parameter=room><room>x</room>\n<parameter=level>3</parameter>"), "qwen3-coder")).not.toEqual(
      lamp,
    ));
});

describe("the tag that names the tool or an argument has attributes", () => {
  test.each([
    ["all arguments", '<tool_call>\n<function=set_lamp room="attic" level="3">\n</function>\n</tool_call>'],
    ["all arguments of an empty tag", '<tool_call>\n<function=set_lamp room="attic" level="3"/>\n</tool_call>'],
    ["all arguments of an empty tag without the outer one", '<function=set_lamp room="attic" level="3"/>'],
    ["one argument", '<function=set_lamp room="attic">\n<parameter=level>\n3\n</parameter>\n</function>'],
    ["a value", call('<parameter=room value="attic"/>\n<parameter=level value="3"/>')],
    ["a type", call('<parameter=room type="string">attic</parameter>\n<parameter=level type="integer">3</parameter>')],
  ])("%s", (_, reply) => expect(readings(reply, "qwen3-coder")).toEqual(lamp));

  test.each([
    ["text beside the attributes", "<function=set_lamp room attic level=3>\n</function>"],
    ["the key as an attribute", call('<parameter=room="attic"></parameter>\n<parameter=level>3</parameter>')],
    ["a value twice", call('<parameter=room value="attic">cellar</parameter>')],
    ["an argument twice", '<function=set_lamp room="attic">\n<parameter=room>cellar</parameter>\n</function>'],
  ])("%s: no call", (_, reply) =>
    expect(readings(reply, "qwen3-coder")?.filter((found) => typeof found !== "string")).toEqual([]),
  );

  test("an empty tag with all arguments leaves the outer closing tag to its call", () => {
    const parser = createReplyParser({ protocol: "qwen3-coder", tools: [{ name: "set_lamp" }] });
    const reply = '<tool_call>\n<function=set_lamp room="attic"/>\n</tool_call>\nDone.';
    const events = [...parser.push(reply), ...parser.end()];
    expect(events.map(({ type }) => type).filter((type) => !type.startsWith("call-"))).toEqual(["text"]);
  });

  test("in several calls", () =>
    expect(readings('<function=set_lamp room="a"/>\n<function=set_lamp room="b"/>', "qwen3-coder")).toEqual([
      ["set_lamp", { room: "a" }],
      ["set_lamp", { room: "b" }],
    ]));
});
