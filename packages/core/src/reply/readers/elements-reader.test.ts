import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";
import { parseReply } from "../../index.js";

const call = (name: string, body: string) => `<am:tool_call name="${name}">${body}</am:tool_call>`;

describe("arguments with one element each", () => {
  test.each<[string, string, unknown[]]>([
    [
      "have any white space and comments between them",
      call("set_lamp", "\n  <room>hall</room><!-- dim -->\n  <level>3</level>\n"),
      [["set_lamp", { room: "hall", level: 3 }]],
    ],
    [
      "may repeat for a list",
      call("save_tasks", "<names>a</names><names>b</names>"),
      [["save_tasks", { names: ["a", "b"] }]],
    ],
    [
      "contain elements where the schema has an object",
      call("open_file", "<path>x</path><place><city>Oslo</city></place>"),
      [["open_file", { path: "x", place: { city: "Oslo" } }]],
    ],
    [
      "may be inside one element of another format",
      call("set_lamp", "<arguments><room>hall</room></arguments>"),
      [["set_lamp", { room: "hall" }]],
    ],
    ["may be one JSON object", call("set_lamp", '{"room": "hall"}'), [["set_lamp", { room: "hall" }]]],
    [
      "that the tool does not allow are dropped",
      call("query", "<filters>a</filters><colour>red</colour>"),
      [["query", { filters: ["a"] }]],
    ],
  ])("%s", (_, reply, wanted) => expect(readings(reply, "am-xml")).toEqual(wanted));

  const qwen = (body: string) => `<tool_call>\n<function=post>\n${body}\n</function>\n</tool_call>`;
  const post = {
    name: "post",
    parameters: { type: "object", properties: { text: { type: "string" }, title: { type: "string" } } },
  };
  const parsed = (body: string) => {
    const { toolCalls, invalidToolCalls } = parseReply(qwen(body), { protocol: "qwen3-coder", tools: [post] });
    expect(invalidToolCalls).toEqual([]);
    return toolCalls.map((one) => [one.arguments, one.repairs?.map(({ code }) => code)]);
  };

  const refused = (body: string) =>
    parseReply(qwen(body), { protocol: "qwen3-coder", tools: [post] }).invalidToolCalls.map(({ error }) => error.code);

  test.each(["{}", " { } ", "\n{}\n"])("are none if the element of another format contains only %j", (nothing) => {
    expect(parsed(`<arguments>${nothing}</arguments>`)).toEqual([[{}, ["wrapped-arguments"]]]);
    const options = { protocol: "qwen3-coder", tools: [{ name: "post", parameters: { type: "object" } }] } as const;
    const bare = parseReply(qwen(`<parameters>${nothing}</parameters>`), options);
    expect(bare.toolCalls).toMatchObject([{ arguments: {} }]);
  });

  test("report a closing tag that is written twice", () => {
    expect(parsed("<parameter=text>\nx\n</parameter>\n</parameter>")).toEqual([[{ text: "x" }, ["extra-closer"]]]);
  });

  test("are ambiguous with the tag of another argument within a line: it may be text, or the next argument", () => {
    for (const text of [
      "x <parameter=title> y",
      "x <parameter=title>y</parameter> z",
      "x <parameter=title>y</parameter>",
    ])
      for (const more of ["", "\n<parameter=title>\nT\n</parameter>"])
        expect(refused(`<parameter=text>\n${text}\n</parameter>${more}`)).toEqual(["malformed"]);
  });

  test("end at the tag of another argument that begins or ends a line, or where both are within one", () => {
    for (const body of [
      "<parameter=text>\nx\n<parameter=title>y</parameter>",
      "<parameter=text>\nx<parameter=title>\ny\n</parameter>",
      "<parameter=text>x<parameter=title>y</parameter>",
    ])
      expect(parsed(body)).toEqual([[{ text: "x", title: "y" }, ["missing-closer"]]]);
  });

  test("may lack the last closing tag", () =>
    expect(
      readings("<tool_call>\n<function=set_lamp>\n<parameter=room>\nhall\n</function>\n</tool_call>", "qwen3-coder"),
    ).toEqual([["set_lamp", { room: "hall" }]]));
});

describe("words between the tags of a call", () => {
  const words = "which is a sentence that comes after one argument and before the end of the call, ";
  const open = "<tool_call>set_lamp\n<arg_key>room</arg_key>\n<arg_value>hall</arg_value>\n";

  test("go on up to the next tag, also where a piece of the reply ends within them", () => {
    expect(readings(`${open}${words}level</arg_key>\n<arg_value>2</arg_value>\n</tool_call>`, "glm45")).toEqual([
      "malformed",
    ]);
    expect(readings(`${open}${words}/> level\n</tool_call>`, "glm45")).toEqual([["set_lamp", { room: "hall" }]]);
  });

  test("break it where there are too many of them", () => {
    expect(readings(`${open}${"word ".repeat(150)}\n</tool_call>`, "glm45")).toEqual([["set_lamp", { room: "hall" }]]);
    expect(readings(`${open}${"word ".repeat(300)}\n</tool_call>`, "glm45")).toEqual(["malformed"]);
  });
});

test("a line of YAML in an element that is no argument has two readings", () => {
  for (const name of ["values", "arguments"])
    for (const [protocol, reply] of [
      ["tool-tags", `<set_lamp>\n<${name}>\nroom: hall\n</${name}>\n</set_lamp>`],
      ["am-xml", call("set_lamp", `<${name}>\nroom: hall\n</${name}>`)],
    ] as const)
      expect(readings(reply, protocol)).toEqual(["malformed"]);
});
