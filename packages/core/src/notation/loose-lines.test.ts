import { describe, expect, test } from "vitest";
import { readings } from "../../test/support/readings.js";
import { parseReply } from "../full/index.js";

const manyTools = [
  { name: "book", parameters: { properties: { venue: { type: "string" }, note: { type: "string" } } } },
  { name: "open_file", parameters: { properties: { place: { type: "object", properties: { city: {} } } } } },
];
const lamp = { room: "hall", level: 3 };

describe("lines that are not quite YAML", () => {
  test.each([
    ["no space after the colon", "room:hall\nlevel:3", lamp],
    ["one with an equals sign", "level: 3\nroom = hall", lamp],
    ["commas after values in quotes", '"room": "hall",\n"level": 3,', lamp],
    ["commas, one after a number", "level: 3,\nroom: hall,", lamp],
    ["a comma between two", "level: 3,\nroom: hall", lamp],
    ["one dash for each", "- room: hall\n- level: 3", lamp],
    ["one dash", "- room: hall\n  level: 3", lamp],
    ["the marker of a document", "---\nroom:hall\nlevel: 3\n---", lamp],
    ["a fence with the marker of a document", "```yaml\n---\nroom:hall\nlevel: 3\n```", lamp],
    ["a comment", "# the hall\nroom:hall\nlevel: 3", lamp],
    ["Windows' line ends", "room:hall\r\nlevel:3\r\n", lamp],
  ])("are read as arguments: %s", (_, lines, wanted) => {
    expect(readings(`<set_lamp>\n${lines}\n</set_lamp>`, "yaml")).toEqual([["set_lamp", wanted]]);
  });

  test("are read with equals signs", () => {
    expect(readings("<book>\nvenue = the hall\nguests=a, b\n</book>", "yaml")).toEqual([
      ["book", { venue: "the hall", guests: "a, b" }],
    ]);
  });

  test.each([
    ["tabs", "path: a.txt\nplace:\n\tcity: Ulm"],
    ["other separators inside", "path:a.txt\nplace:\n  city = Ulm"],
    ["an object on the line", 'path:a.txt\nplace:{"city": "Ulm"}'],
  ])("hold objects: %s", (_, lines) => {
    const wanted = { path: "a.txt", place: { city: "Ulm" } };
    expect(readings(`<open_file>\n${lines}\n</open_file>`, "yaml")).toEqual([["open_file", wanted]]);
  });

  test.each([
    ["a name that is not declared", "room:hall\ncolor:red"],
    ["words between them", "room:hall\nand then\nlevel:3"],
    ["a name twice", "room:hall\nroom:attic"],
    ["a second argument on one line", "room:hall level:3"],
    ["a second argument after a comma", "room = hall, level = 3"],
    ["two objects in a list", "- room: hall\n  level: 3\n- level: 4"],
    ["a dash for some", "- room: hall\n- level: 3\n  level: 4"],
    ["a comment after an equals sign, or text", "room = hall # the big one\nlevel = 3"],
    ["a comparison", "room == hall\nlevel: 3"],
    ["levels of tabs and spaces", "room:hall\n\t\n  level:3\n\tlevel: 4"],
  ])("make no call with %s", (_, lines) => {
    expect(readings(`<set_lamp>\n${lines}\n</set_lamp>`, "yaml")).toEqual(["malformed"]);
  });

  test("a comma is kept where only text is before it", () => {
    expect(readings("<book>\nvenue: Ann,\nnote: b,\n</book>", "yaml")).toEqual([
      ["book", { venue: "Ann,", note: "b," }],
    ]);
    expect(readings("<book>\nvenue = Ann,\nnote = b\n</book>", "yaml")).toEqual(["malformed"]);
    expect(readings("<book>\nvenue = Ann, Bob\nnote = b\n</book>", "yaml")).toEqual([
      ["book", { venue: "Ann, Bob", note: "b" }],
    ]);
  });

  test("a block between them keeps its text", () => {
    const lines = "path:a.txt\nplace:\n  city: |\n    a:1,\n    b = 2";
    expect(readings(`<open_file>\n${lines}\n</open_file>`, "yaml")).toEqual([
      ["open_file", { path: "a.txt", place: { city: "a:1,\nb = 2\n" } }],
    ]);
  });

  test("are a repair", () => {
    const tools = [{ name: "f", parameters: { type: "object", properties: { a: { type: "integer" }, b: {} } } }];
    const repairs = (reply: string, protocol: "yaml" | "react") =>
      parseReply(reply, { protocol, tools }).toolCalls[0]?.repairs?.map(({ code }) => code);
    expect(repairs("<f>\na = 1\nb = 2\n</f>", "yaml")).toEqual(["loose-lines"]);
    expect(repairs("<f>\na: 1\nb: 2\n</f>", "yaml")).toBeUndefined();
    expect(repairs("Action: f\nAction Input:\na: 1\nb: 2", "react")).toEqual(["loose-lines"]);
  });
});

describe("lines in the place of an object", () => {
  test.each([
    ["with spaces before them", "\n  room: hall\n  level: 3"],
    ["in a fence", "\n```yaml\nroom: hall\nlevel: 3\n```"],
    ["without spaces", " room:hall\nlevel:3"],
    ["with an empty line between", "\nroom: hall\n\nlevel: 3\n"],
    ["with quotes and commas", '\n"room": "hall",\n"level": 3'],
  ])("are the input of an action: %s", (_, lines) => {
    expect(readings(`Action: set_lamp\nAction Input:${lines}`, "react")).toEqual([["set_lamp", lamp]]);
  });

  test.each([
    ["other words", "room: hall\nplease, and soon"],
    ["two arguments on one line", "room: hall, level: 3"],
    ["a name without a value", "room:\nlevel: 3"],
    ["an anchor", "room: &a hall\nlevel: 3"],
    ["a text that goes on", "room: the hall\n  upstairs\nlevel: 3"],
    ["an open quote", 'room: "hall\nlevel: 3'],
  ])("make no call with %s", (_, lines) => {
    const [only, ...others] = readings(`Action: set_lamp\nAction Input: ${lines}`, "react") ?? [];
    expect([typeof only, others]).toEqual(["string", []]);
  });

  test("a block of text is an argument", () => {
    const lines = "room: |\n    level: 2\n\n      hall\n  level: 3";
    expect(readings(`Action: set_lamp\nAction Input: ${lines}`, "react")).toEqual([
      ["set_lamp", { room: "level: 2\n\n  hall\n", level: 3 }],
    ]);
  });

  test("the text of the only required argument is read up to the next argument", () => {
    const input = (text: string) => readings(`Action: ship.order\nAction Input: ${text}`, "react");
    expect(input("depot: Ulm\nboxes: 3")).toEqual([["ship.order", { depot: "Ulm", boxes: 3 }]]);
    expect(input("boxes: 3\ndepot: Ulm")).toEqual([["ship.order", { depot: "Ulm", boxes: 3 }]]);
    expect(input("depot: Ulm")).toEqual([["ship.order", { depot: "Ulm" }]]);
    expect(input("depot: Ulm\nin the south")).toEqual([["ship.order", { depot: "Ulm\nin the south" }]]);
    expect(input("boxes: all of Ulm")).toEqual([["ship.order", { depot: "boxes: all of Ulm" }]]);
    expect(input("depot: Ulm\nin the south\nboxes: 3")).toEqual(["malformed"]);
  });

  test("make no call with another argument in the lines below a text", () => {
    const book = (lines: string) => readings(`<book>\n${lines}\n</book>`, "yaml");
    expect(book("venue = the hall\nguests = Ann\n  note = at noon")).not.toEqual([
      ["book", { venue: "the hall", guests: "Ann note = at noon" }],
    ]);
    expect(book("venue = the hall\nguests = Ann\n  and Bo")).toEqual([
      ["book", { venue: "the hall", guests: "Ann and Bo" }],
    ]);
  });

  test("make no call with commas after the items of a list", () => {
    const reply = "<save_tasks>\nnames:\n\t- a,\n\t- b,\ntasks: [1]\n</save_tasks>";
    expect(readings(reply, "yaml")).toEqual(["malformed"]);
  });

  test.each([
    ["spaces before a word", "yaml", `<book>\nvenue:a\nnote:b\n${" ".repeat(200_000)}x\n</book>`],
    ["tabs before a name", "yaml", `<open_file>\nplace:\n${"\t".repeat(200_000)}city: x\n</open_file>`],
    ["spaces in an input", "react", `Action: book\nAction Input: venue: a\nnote: b\n${" ".repeat(200_000)}x`],
  ] as const)("take no longer for %s than they are long", (_, protocol, reply) => {
    expect(parseReply(reply, { protocol, tools: manyTools }).text).toBe("");
  });

  test("make no call if they may as well be code", () => {
    expect(readings("Action: run_job\nAction Input: cmd = 5\ndir = 3", "react")).toEqual(["malformed"]);
    const reply = (lines: string) => `Action: ship.order\nAction Input:\n${lines}`;
    expect(readings(reply("depot = 'Ulm'\nboxes: 3"), "react")).toEqual([["ship.order", { depot: "Ulm", boxes: 3 }]]);
    expect(readings(reply("depot = Ulm\nboxes = 3"), "react")).toEqual(["malformed"]);
    expect(readings("<read_meter>\nroom = hall\n</read_meter>", "tool-tags")).toEqual(["malformed"]);
    expect(readings("<read_meter>\nroom: hall\n</read_meter>", "tool-tags")).toEqual([
      ["read_meter", { room: "hall" }],
    ]);
  });

  test("are an argument that is an object", () => {
    const call = (place: string) => `<open_file>\n<path>a.txt</path>\n<place>${place}</place>\n</open_file>`;
    expect(readings(call("\n  city: Ulm\n"), "tool-tags")).toEqual([
      ["open_file", { path: "a.txt", place: { city: "Ulm" } }],
    ]);
    expect(readings(call("Ulm"), "tool-tags")).toEqual(["invalid-arguments"]);
    expect(readings(call("in: Ulm"), "tool-tags")).toEqual(["invalid-arguments"]);
  });

  test("a text stays a text where the schema takes one", () => {
    const place = { anyOf: [{ type: "object", properties: { city: { type: "string" } } }, { type: "string" }] };
    const tools = [{ name: "f", parameters: { type: "object", properties: { place } } }];
    const reply = '<tool_call>{"name": "f", "arguments": {"place": "city: Ulm"}}</tool_call>';
    expect(parseReply(reply, { protocol: "hermes", tools }).toolCalls[0]?.arguments).toEqual({ place: "city: Ulm" });
  });
});

describe("another argument in the text of one", () => {
  test.each([
    ["after a comma on a line of YAML", "yaml", "<run_job>\ncmd: rm -r a, dir: /b\n</run_job>"],
    ["after a comma in ReAct", "react", "Action: run_job\nAction Input: cmd: rm -r a, dir: /b"],
  ] as const)("makes no call %s", (_, protocol, reply) => expect(readings(reply, protocol)).toEqual(["malformed"]));

  test.each([
    ["yaml", '<run_job>\ncmd: "rm -r a, dir: /b"\n</run_job>', ["run_job", { cmd: "rm -r a, dir: /b" }]],
    ["yaml", "<run_job>\ncmd: echo a, b: c\n</run_job>", ["run_job", { cmd: "echo a, b: c" }]],
    [
      "react",
      "Action: read_meter\nAction Input: room: the hall\nnote: cold",
      ["read_meter", { room: "the hall\nnote: cold" }],
    ],
  ] as const)("is text in quotes or with another name in %s: %s", (protocol, reply, call) =>
    expect(readings(reply, protocol)).toEqual([call]),
  );
});
