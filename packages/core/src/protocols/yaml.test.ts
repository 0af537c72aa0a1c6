import { describe, expect, it } from "vitest";
import { createReplyParser, parseReply } from "../full/index.js";
import type { ToolDefinition } from "../types.js";
import { yaml } from "./yaml.js";

const tools: ToolDefinition[] = [
  {
    name: "write_file",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string" },
        content: { type: "string" },
        mode: { type: "integer" },
        force: { type: "boolean" },
        tags: { type: "array", items: { type: "string" } },
        when: {},
        level: { enum: ["1.0", "2.0"] },
      },
    },
  },
  { name: "ping", parameters: { type: "object", properties: {} } },
];

const read = (text: string) => parseReply(text, { tools, protocol: "yaml" });
const body = (text: string) => {
  const { toolCalls, invalidToolCalls } = read(`<write_file>\n${text}\n</write_file>`);
  return toolCalls[0]?.arguments ?? invalidToolCalls[0]?.error.message;
};

describe("arguments in YAML", () => {
  it("are refused where a comment stands in place of a text, which may be a heading", () => {
    for (const content of ["# Lamps", "# Lamps\n  Two lamps."])
      expect(body(`path: a.md\ncontent: ${content}`)).toMatch(/in place of the text of "content"; write text/);
    expect(body("content: #0a0a0a\npath: a.css # new")).toEqual({ content: "#0a0a0a", path: "a.css" });
    expect(body('content: # quoted below\n  "Lamps"')).toEqual({ content: "Lamps" });
    expect(body("content: | # as it is\n  # Lamps")).toMatchObject({ content: expect.stringMatching(/^# Lamps/) });
    expect(body("path: a.md\nmode: # default")).not.toMatchObject({ mode: expect.anything() });
  });

  it("are written as lines and blocks", () => {
    const call = { name: "write_file", arguments: { path: "a.py", content: "def f():\n  return 1\n", tags: ["x"] } };
    const text = yaml.renderCalls([call, { name: "ping", arguments: {} }], { tools });
    expect(text).toBe(
      "<write_file>\npath: a.py\ncontent: |\n  def f():\n    return 1\ntags:\n  - x\n</write_file>\n<ping>\n</ping>",
    );
    expect(read(text).toolCalls.map(({ arguments: args }) => args)).toEqual([call.arguments, {}]);
  });

  it("are one document: two are ambiguous", () => {
    for (const text of [
      "---\npath: a",
      "path: a\n...",
      "---\npath: a\n---",
      "%YAML 1.2\n---\npath: a",
      "---\n---\npath: a",
    ])
      expect(body(text), text).toEqual({ path: "a" });
    for (const text of [
      "path: a\n---\npath: b",
      "path: a\n...\npath: b",
      "path: a\n---\nmode: 2",
      "path: a\n---\nSome words.",
    ])
      expect(body(text), text).toMatch(/two YAML documents/);
    expect(body("path: a\ncontent: |\n  b\n  ---\n  c")).toEqual({ path: "a", content: "b\n---\nc\n" });
  });

  it("are the written text if the schema allows only text", () => {
    const code = 'def f(x):\n    return {"k": x}';
    expect(body(`path: a.py\ncontent: ${code}`)).toEqual({ path: "a.py", content: code });
    expect(body(`content: ${code}\n\n    x: 1\npath: a.py`)).toEqual({ content: `${code}\n\n    x: 1`, path: "a.py" });
    expect(body("path: a.py\ncontent:\n  def f(x):\n    return 1")).toEqual({
      path: "a.py",
      content: "def f(x):\n  return 1",
    });
    expect(body("content:\n  - one\n  - two: 2\npath: a.md")).toEqual({ content: "- one\n- two: 2", path: "a.md" });
    expect(body("content: # Title\n  Text: here")).toEqual({ content: "# Title\nText: here" });
  });

  it("keep the lines of a text below its key, where YAML would join them", () => {
    expect(body("path: a\ncontent:\n  import os\n  print(os.getcwd())\nmode: 1")).toMatchObject({
      content: "import os\nprint(os.getcwd())",
    });
    expect(body("path: a\ncontent:\n  # Title\n  One\n\n    Two")).toMatchObject({ content: "# Title\nOne\n\n  Two" });
    expect(body("path: a\ntags:\n  1. x\n  2. y")).toMatchObject({ tags: ["x", "y"] });
  });

  it("are read in every style of YAML", () => {
    expect(body("path: a b\n  c\ncontent: >-\n  x\n  y\nmode: 0x1F\ntags: [a, 'b', \"\\u003c\"]")).toEqual({
      path: "a b c",
      content: "x y",
      mode: 31,
      tags: ["a", "b", "<"],
    });
    expect(body("    path: x\n    mode: 2")).toEqual({ path: "x", mode: 2 });
    expect(body("path: 'it''s\n  long'\r\nmode: 1")).toEqual({ path: "it's long", mode: 1 });
  });

  it("may contain blocks of text without indentation", () => {
    expect(body("content: |\ndef f():\n  return 1\n\nf()\npath: a.py")).toEqual({
      content: "def f():\n  return 1\n\nf()\n",
      path: "a.py",
    });
    expect(body("  path: a.py\n  content: |-\n  x: 1\n  - y")).toEqual({ path: "a.py", content: "x: 1\n- y" });
    const [call] = read("<write_file>\ncontent: |\nx\n</write_file>").toolCalls;
    expect(call?.repairs).toEqual([{ code: "unindented-text" }]);
  });

  it("keep the text of an indented block beside one without indentation", () => {
    expect(body("path: |\n  a.py\ncontent: |\nf()\n")).toEqual({ path: "a.py\n", content: "f()\n" });
  });

  it("have two readings if some lines of a block are indented, and later ones are not", () => {
    for (const text of ["content: |\n  a\nb\npath: c", "content: |\n    a\n  b\npath: c", "content: |\n\n  a\n b"])
      expect(body(text), text).toMatch(/YAML is broken at line \d/);
  });

  it("keep the text of an empty block that itself looks like arguments", () => {
    const [call] = read(
      "<write_file>\npath: a.yml\ncontent: |\nversion: 3\nservices:\n  web: x\n</write_file>",
    ).toolCalls;
    expect(call).toMatchObject({
      arguments: { path: "a.yml", content: "version: 3\nservices:\n  web: x\n" },
      repairs: [{ code: "unindented-text" }],
    });
    expect(body("content: |-\nversion: 3\n\nx: y\npath: a")).toEqual({ content: "version: 3\n\nx: y", path: "a" });
    expect(body("content: |\n# Title\npath: a")).toEqual({ content: "# Title\n", path: "a" });
    expect(body("content: |2- # the file\nversion: 3")).toEqual({ content: "version: 3" });
    expect(body("path: Fix: it\ncontent: |\nversion: 3")).toEqual({ path: "Fix: it", content: "version: 3\n" });
    expect(body("content: |\npath: a")).toEqual({ content: "", path: "a" });
    expect(body("  content: |\n  version: 3")).toEqual({ content: "version: 3\n" });
  });

  it("are invalid if the text of an empty block could be arguments", () => {
    const text = "path: a\ncontent: |\nversion: 3";
    for (const undecided of [
      "path: a\ncontent: |\nversion: 3\npath: a",
      "path: a\ncontent: |\npath: a",
      "content: |\npath: a\nversion: 3",
      "content: |\nversion: 3\npath: a\nname: b",
      'content: |\nversion: 3\n"path": a',
      "content: |\nservices:\n  path: a",
      "when:\n  content: |\n  version: 3",
      "when:\n  content: |\n# Title",
    ])
      expect(body(undecided), undecided).toMatch(/the text of "content" is not indented deeper than its key/);
    const properties = { path: { type: "string" }, content: { type: "string" } };
    for (const parameters of [
      { type: "object" },
      { type: "object", properties, additionalProperties: true },
      { type: "object", properties, patternProperties: { "^v": {} } },
    ]) {
      const reply = `<write_file>\n${text}\n</write_file>`;
      const { toolCalls, invalidToolCalls } = parseReply(reply, {
        tools: [{ name: "write_file", parameters }],
        protocol: "yaml",
      });
      expect([toolCalls, invalidToolCalls[0]?.error.message]).toEqual([[], expect.stringMatching(/"content" is not/)]);
    }
  });

  it("keep the written text if the schema wants text", () => {
    expect(body("path: 1.50")).toEqual({ path: "1.50" });
    expect(body("path: no\nforce: yes")).toEqual({ path: "no", force: true });
    expect(body("path: 2024-01-02\nwhen: 2024-01-02")).toEqual({ path: "2024-01-02", when: "2024-01-02" });
    expect(body("path: #general\ntags: [1.0]\nlevel: 1.0")).toEqual({ path: "#general", tags: ["1.0"], level: "1.0" });
    expect(body("path: a # a comment")).toEqual({ path: "a" });
    expect(body("path: *glob\ncontent: &Co")).toEqual({ path: "*glob", content: "&Co" });
  });

  it("keep tags that are not YAML's own as text", () => {
    for (const path of [
      ...["!important", "!/bin/sh", "!x y", "!", "! x", "!!x y", "!<x> y", "!a%20b", "!x 'y'", '!x "y"', "!x [a, b]"],
      ...["!x: y", "!x,y", "!e!x y", "&a !x y", "!x &a y", "!x #y"],
    ]) {
      expect(body(`path: ${path}\nmode: 1`), path).toEqual({ path, mode: 1 });
      expect(body(`mode: 1\npath: ${path}`), path).toEqual({ path, mode: 1 });
    }
    expect(body("tags: [!a, !b c]\nwhen: !x 3")).toEqual({ tags: ["!a", "!b c"], when: "!x 3" });
    expect(body("tags:\n  - !src/\n  - '!'\n  - !a b")).toEqual({ tags: ["!src/", "!", "!a b"] });
    expect(body("path: !x\n  y\nwhen: !x {a: 1}")).toEqual({ path: "!x y", when: { a: 1 } });
    for (const header of ["!x |", "!x >-", "!x |2", "!<x> |", "&a |", "&a !x |"]) {
      expect(body(`content: ${header}\n  a\n    b\n\n  c\npath: d`), header).toEqual({
        content: `${header}\na\n  b\n\nc`,
        path: "d",
      });
      expect(body(`path: d\ntags:\n  - ${header}\n    a`), header).toEqual({ path: "d", tags: [`${header}\na`] });
    }
    expect(body("content: !!str |\n  a\npath: &a |\n  b\ntags: [*a]")).toEqual({
      content: "a\n",
      path: "b\n",
      tags: ["b\n"],
    });
    expect(body("path: !!str 1.50\nwhen: !!int 3")).toEqual({ path: "1.50", when: 3 });
    for (const tag of ["!e!x", "!e-1!x", "!!x", "!x"]) {
      const declared = `%TAG !e! tag:e,2000:\n%TAG !e-1! tag:e,2001:\n---\npath: ${tag} y\ntags: [${tag} a,${tag} b]`;
      expect(body(declared), tag).toEqual({ path: `${tag} y`, tags: [`${tag} a`, `${tag} b`] });
    }
  });

  it("have anchors only where an alias names them; others are text", () => {
    expect(body("path: &a foo\ncontent: *a")).toEqual({ path: "foo", content: "foo" });
    expect(body("path: &a foo\ncontent: *b")).toEqual({ path: "&a foo", content: "*b" });
    expect(body("tags: [&a x, &b y, *a]")).toEqual({ tags: ["x", "&b y", "x"] });
  });

  it("are values of JSON: no dates, no NaN, no duplicate keys", () => {
    expect(body("when: [.nan, 2024-01-02T00:00:00Z, ~, 0o17]\npath: b\npath: b")).toEqual({
      when: [".nan", "2024-01-02T00:00:00Z", null, 15],
      path: "b",
    });
    expect(body("path: a\npath: b")).toMatch(/the key "path" comes twice, with different values/);
  });

  it("are quoted if text would break YAML", () => {
    expect(read("<write_file>\npath: Fix: the bug\ncontent: @x\n</write_file>").toolCalls).toMatchObject([
      { arguments: { path: "Fix: the bug", content: "@x" }, repairs: [{ code: "unquoted-text" }] },
    ]);
  });

  it("are invalid with a merge key, in any chunks", () => {
    for (const text of ["<<: x", "<<: {path: a}", "<<: x\npath: a", "path: a\n<<: x"]) {
      const reply = `<write_file>\n${text}\n</write_file>`;
      expect(body(text), text).toMatch(/"<<" is not an argument|found "<<: /);
      const parser = createReplyParser({ tools, protocol: "yaml" });
      const events = [...[...reply].flatMap((char) => parser.push(char)), ...parser.end()];
      expect(events.at(-1), text).toMatchObject({ type: "call-invalid" });
    }
    expect(read("<write_file>\n<<EOF\n</write_file>").invalidToolCalls).toEqual([]);
  });

  it("are reported with the line if they are broken", () => {
    expect(body("path: a\ntags: [a, b\nmode: 1")).toMatch(/YAML is broken at line \d/);
    expect(body("just text")).toMatch(/expected a YAML mapping/);
    expect(body("path: a\nother:b")).toMatch(/line 2: a space is missing after the colon: write "other: \.\.\."/);
    expect(body("when:\n    a: 1\n  b: 2")).toMatch(/line 3: indent all lines of a mapping or list equally/);
  });

  it("end at the closing tag outside of blocks", () => {
    for (const text of ["see </write_file> for more", "</write_file>", "<write_file>\n</write_file>\n\nx"]) {
      expect(body(`content: |-\n  ${text.replaceAll("\n", "\n  ")}\nmode: 1`)).toEqual({ content: text, mode: 1 });
    }
    expect(read("<write_file>path: a</write_file> and <ping/>").toolCalls).toHaveLength(2);
    expect(read("<write_file>\npath: a\n<ping/>").toolCalls).toHaveLength(2);
  });

  it("may be elements or JSON instead", () => {
    expect(body("<path>a</path>\n<mode>1</mode>")).toEqual({ path: "a", mode: 1 });
    expect(body('{"path": "a", "mode": 1,}')).toEqual({ path: "a", mode: 1 });
  });

  it("are no call if they are truncated", () => {
    expect(read("<write_file>\npath: a.p").invalidToolCalls).toMatchObject([{ error: { code: "truncated" } }]);
  });

  it("cannot change a prototype", () => {
    const { toolCalls } = parseReply("<save>\n__proto__:\n  x: 1\n</save>", { protocol: "yaml" });
    expect(JSON.stringify(toolCalls[0]?.arguments)).toBe('{"__proto__":{"x":1}}');
  });
});

describe("hostile YAML", () => {
  it("is refused if it repeats itself or nests without end", () => {
    const bomb = Array.from({ length: 30 }, (_, i) => `a${i}: &a${i} [${i ? `*a${i - 1}, *a${i - 1}` : "x"}]`).join(
      "\n",
    );
    for (const text of [
      `when:\n${bomb.replace(/^/gm, "  ")}`,
      `when: ${"[".repeat(5000)}`,
      `when: ${"- ".repeat(9000)}`,
      "- ".repeat(9000),
      `${"? ".repeat(9000)}`,
    ]) {
      const { toolCalls, invalidToolCalls } = read(`<write_file>\n${text}\n</write_file>`);
      expect(toolCalls).toEqual([]);
      expect(invalidToolCalls.map(({ error }) => error.code)).toEqual(["limit"]);
    }
  });

  it("reads the same character by character", () => {
    const text = "<write_file>\n  path: a\n  content: |\n    </write_file> x\n  mode: 1\n  </write_file> done";
    const parser = createReplyParser({ tools, protocol: "yaml" });
    const events = [...[...text].flatMap((char) => parser.push(char)), ...parser.end()];
    expect(events.find(({ type }) => type === "call-end")).toMatchObject({
      call: { arguments: { path: "a", content: "</write_file> x\n", mode: 1 } },
    });
  });
});

it("keeps a backslash in quotes that begins no escape", () => {
  expect(body('path: "\\d+\\.ts"\ncontent: "a\\nb \\"c\\""')).toEqual({ path: "\\d+\\.ts", content: 'a\nb "c"' });
});

it("is never an argument that belongs to the text before it, however far it is indented", () => {
  const { toolCalls, invalidToolCalls } = read("<write_file>\npath: a\n  content: x\n</write_file>");
  expect([toolCalls, invalidToolCalls.length]).toEqual([[], 1]);
  expect(body("path: a\ncontent: Hi: there\n  path: b")).toEqual({ path: "a", content: "Hi: there\n  path: b" });
});
