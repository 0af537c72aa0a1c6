import { describe, expect, it } from "vitest";
import { collectReply, createReplyParser, parseReply } from "../index.js";
import type { ToolDefinition } from "../types.js";
import { toolTags } from "./tool-tags.js";

const tools: ToolDefinition[] = [
  {
    name: "edit_file",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string" },
        body: { type: "string" },
        lines: { type: "array", items: { type: "integer" } },
        count: { type: "integer" },
      },
      required: ["path"],
    },
  },
  { name: "ping", parameters: { type: "object", properties: {} } },
  { name: "search", parameters: { type: "object", properties: { query: { type: "string" } } } },
];

const read = (text: string, protocol: "tool-tags" | "auto" = "tool-tags") => parseReply(text, { tools, protocol });
const args = (text: string) => read(text).toolCalls.map((call) => call.arguments);

describe("a call in an element named after the tool", () => {
  it.each([
    "<ping><ping></ping></ping>",
    "<ping>\n<ping>\n</ping>\n</ping>\nDone.",
    "<ping>\n<ping></ping>",
    "<ping><ping/></ping>",
  ])("is one at most if its tag is written twice: %j", (text) => {
    expect(read(text).toolCalls.length).toBeLessThan(2);
  });

  it("is written with a child for each argument, and code unchanged", () => {
    const call = { name: "edit_file", arguments: { path: "a.ts", body: "if (a < b && c) {\n  <Tag/>\n}", count: 2 } };
    const text = toolTags.renderCalls([call], { tools });
    expect(text).toBe(
      "<edit_file>\n<path>a.ts</path>\n<body>\nif (a < b && c) {\n  <Tag/>\n}\n</body>\n<count>2</count>\n</edit_file>",
    );
    expect(args(text)).toEqual([call.arguments]);
  });

  it("is text in a code fence marked as HTML", () => {
    const html = "```html\n<search>\n<query>a</query>\n</search>\n```";
    expect(read(html)).toMatchObject({ text: html, toolCalls: [] });
    expect(args(html.replace("html", "xml"))).toEqual([{ query: "a" }]);
  });

  it("may occur anywhere in the text, be self-closing, and be empty", () => {
    const reply = read("Checking <ping/> and <ping></ping>, then </ ping>done <ping></ ping>.");
    expect(reply.toolCalls.map(({ name }) => name)).toEqual(["ping", "ping", "ping"]);
  });

  it("is recognised by another spelling of the tool's name, if one tool matches", () => {
    expect(read("<Edit-File><path>a</path></Edit-File>").toolCalls).toMatchObject([
      { name: "edit_file", arguments: { path: "a" }, repairs: [{ code: "renamed-tool" }] },
    ]);
  });

  it("may have arguments in its tag", () => {
    for (const text of [
      '<edit_file path="a.ts" count="2"/>',
      '<edit_file path="a.ts" count="2"></edit_file>',
      "<edit_file path='a.ts'>\n<count>2</count>\n</edit_file>",
      '<edit_file path="a.ts">{"count": 2}</edit_file>',
    ]) {
      expect(read(text), text).toMatchObject({ text: "", toolCalls: [{ arguments: { path: "a.ts", count: 2 } }] });
      expect(args(`${text}\nAnd ${text}`), text).toHaveLength(2);
    }
  });

  it("is text if nothing of a call follows the tag", () => {
    for (const text of ["Use <search> to find it.", "a <ping", "<pingpong/>", '<search class="x">q</search>']) {
      expect(read(text)).toMatchObject({ text, toolCalls: [], invalidToolCalls: [] });
    }
  });

  it("is read in other protocols if it begins a line and has arguments of the tool", () => {
    expect(read("<search><query>x</query></search>", "auto").toolCalls).toHaveLength(1);
    for (const text of ["Write <search><query>x</query></search> so.", "<search><p>x</p></search>"]) {
      expect(read(text, "auto")).toMatchObject({ text, toolCalls: [] });
    }
  });

  it("takes JSON inside the tag as its arguments", () => {
    expect(args('<search>{"query": "x"}</search>')).toEqual([{ query: "x" }]);
  });
});

it("is read in other protocols if another format's tag is the tool's name", () => {
  const args = { server_name: "weather", tool_name: "get_forecast", arguments: { city: "Paris" } };
  const types = { server_name: "string", tool_name: "string", arguments: "object" };
  const properties = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]));
  const ofAgent: ToolDefinition[] = [
    { name: "use_mcp_tool", parameters: { type: "object", properties, required: Object.keys(types) } },
  ];
  const text =
    '<use_mcp_tool>\n<server_name>weather</server_name>\n<tool_name>get_forecast</tool_name>\n<arguments>\n{"city": "Paris"}\n</arguments>\n</use_mcp_tool>';
  for (const protocol of ["tool-tags", "auto", "hermes"] as const) {
    for (const around of ["", "Now:\n"]) {
      const { toolCalls } = parseReply(around + text, { tools: ofAgent, protocol });
      expect(toolCalls, protocol).toMatchObject([{ name: "use_mcp_tool", arguments: args }]);
    }
  }
});

it.each(["auto", "hermes", "qwen3-coder"] as const)(
  "a tool named like a marker takes no call of another tool: %s",
  (protocol) => {
    const text = { type: "string" };
    const named = ["tool_call", "function_call"].map((name) => ({
      name,
      parameters: { type: "object", properties: { name: text } },
    }));
    const other = { name: "other", parameters: { type: "object", properties: { q: text } } };
    for (const tag of ["tool_call", "function_call"]) {
      const reply = `<${tag}>\n{"name": "other", "arguments": {"q": "x"}}\n</${tag}>`;
      expect(parseReply(reply, { tools: [...named, other], protocol }).toolCalls).toMatchObject([{ name: "other" }]);
    }
  },
);

describe("an argument", () => {
  it("ends only at a closing tag that more of the call follows", () => {
    const bodies = [
      "<html><body><p>Hi</p></body></html>",
      "see </body> for more",
      "<body>inner</body>\n<p>more</p>",
      "an unclosed <body> tag",
      "</path> and <count> are tags",
      "</edit_file> ends a call",
    ];
    for (const body of bodies) {
      const text = `<edit_file>\n<path>x</path>\n<body>${body}</body>\n<count>1</count>\n</edit_file>`;
      expect(args(text), body).toEqual([{ path: "x", body, count: 1 }]);
    }
  });

  it("decodes entities, except in markup of its own", () => {
    const body = (text: string) => args(`<edit_file><path>x</path><body>${text}</body></edit_file>`)[0]?.body;
    expect(body("a &lt; b &amp;&amp; c")).toBe("a < b && c");
    expect(body("<p>a &lt; b</p>")).toBe("<p>a &lt; b</p>");
    expect(body("<![CDATA[<p>&lt;</p>]]>")).toBe("<p>&lt;</p>");
  });

  it("ends with the call if its closing tag is missing", () => {
    expect(read("<edit_file><path>a.ts</edit_file>").toolCalls).toMatchObject([
      { arguments: { path: "a.ts" }, repairs: [{ code: "missing-closer" }] },
    ]);
    expect(args("<edit_file><path>a</path><count>3</edit_file>")).toEqual([{ path: "a", count: 3 }]);
  });

  it("accepts a closing tag in another case or with spaces, and a duplicate one", () => {
    expect(args("<edit_file><path>a</ Path><count>3</count></count></edit_file>")).toEqual([{ path: "a", count: 3 }]);
  });

  it("is a list in every form that models write", () => {
    for (const list of [
      "<lines>1</lines><lines>2</lines>",
      "<lines>1</lines><path>x</path><lines>2</lines>",
      "<lines><item>1</item><item>2</item></lines>",
      "<lines><0>1</0><1>2</1></lines>",
      "<lines>[1, 2]</lines>",
    ]) {
      expect(args(`<edit_file><path>x</path>${list}</edit_file>`), list).toMatchObject([{ lines: [1, 2] }]);
    }
  });
});

it("is read with the name on a line of its own, without brackets, if its first argument follows", () => {
  for (const end of ["\n</edit_file>", ""]) {
    expect(args(`First:\nedit_file\n<path>a.ts</path>${end}`)).toEqual([{ path: "a.ts" }]);
  }
  expect(read("edit_file\nis the tool").toolCalls).toEqual([]);
});

it("recognises calls at the beginning of a line without known tools", () => {
  const { toolCalls } = parseReply("Now:\n<save>\n<name>x</name>\n</save>", { protocol: "tool-tags" });
  expect(toolCalls).toMatchObject([{ name: "save", arguments: { name: "x" } }]);
});

describe("text in an element with attributes", () => {
  const own: ToolDefinition[] = [
    {
      name: "write_file",
      parameters: {
        type: "object",
        properties: { path: { type: "string" }, content: { type: "string" }, mode: { type: "integer" } },
        required: ["path", "content"],
      },
    },
    { name: "note", parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } },
    {
      name: "open",
      parameters: { type: "object", properties: { path: { type: "string" }, line: { type: "string" } } },
    },
  ];
  const shown = (text: string) => {
    const [whole, single] = [[text], [...text]].map((chunks) => {
      const parser = createReplyParser({ tools: own, protocol: "tool-tags" });
      const found = collectReply([...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]);
      return [found.toolCalls.map((call) => call.arguments), found.invalidToolCalls.length, found.text];
    });
    expect(single).toEqual(whole);
    return whole;
  };

  it.each([
    ['<write_file path="a.txt">Hello</write_file>', { path: "a.txt", content: "Hello" }],
    [
      '<write_file path="a.txt" mode="6">\nHello\nyou\n</write_file>',
      { path: "a.txt", mode: 6, content: "Hello\nyou" },
    ],
    ['<write_file path="a.txt">\nHello <b>you</b>\n</write_file>', { path: "a.txt", content: "Hello <b>you</b>" }],
    ['<tool_call name="write_file" path="a.txt">Hello</tool_call>', { path: "a.txt", content: "Hello" }],
    ["<note>\n<b>Hello</b> you\n</note>", { text: "<b>Hello</b> you" }],
    ["<note><p>Hello</p><p>you</p></note>", { text: "<p>Hello</p><p>you</p>" }],
    ["<note><text>Hello <b>you</b></text></note>", { text: "Hello <b>you</b>" }],
  ])("is the only required argument that is missing: %s", (text, args) => {
    for (const around of ["", "\n"]) expect(shown(around + text + around)).toEqual([[args], 0, ""]);
  });

  it.each([
    '<write_file path="a.txt">\nmode: 6\n</write_file>',
    '<write_file path="a.txt" content="x">\nHello\n</write_file>',
    '<open path="a.txt">\nHello\n</open>',
    "<note><txt>Hello</txt> you</note>",
    "<note><t>Hello</t></note>",
    "<open><p>a.txt</p></open>",
  ])("makes no call where it may be another: %s", (text) => expect(shown(text)![0]).toEqual([]));
});
