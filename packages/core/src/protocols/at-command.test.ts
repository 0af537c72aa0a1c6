import { describe, expect, test } from "vitest";
import { collectReply, createReplyParser, parseReply } from "../index.js";

const tools = [
  { name: "kom.memory.v1.search_memory", parameters: { type: "object", properties: { text: { type: "string" } } } },
  { name: "get_time", parameters: { type: "object", properties: {} } },
];
const read = (text: string, protocol: "at-command" | "hermes" = "at-command") => parseReply(text, { tools, protocol });

describe("at-command", () => {
  test("a line is a call, and the lines around it are text", () => {
    const reply = read('Let me look.\n@kom.memory.v1.search_memory {"text": "a } b"}\nOne moment.');
    expect(reply.text).toBe("Let me look.\nOne moment.");
    expect(reply.toolCalls).toMatchObject([{ name: "kom.memory.v1.search_memory", arguments: { text: "a } b" } }]);
  });

  test("arguments may be absent, and may span several lines", () => {
    expect(read('@get_time\n@kom.memory.v1.search_memory {\n  "text": "x"\n}\n').toolCalls).toMatchObject([
      { name: "get_time", arguments: {} },
      { name: "kom.memory.v1.search_memory", arguments: { text: "x" } },
    ]);
  });

  test.each([" ", " or ", "\n", ", "])("two objects after one name make no call: %j between them", (between) => {
    const text = `@kom.memory.v1.search_memory {"text": "a"}${between}{"text": "b"}`;
    expect(read(text)).toMatchObject({ toolCalls: [], invalidToolCalls: [{ error: { code: "malformed" } }] });
  });

  test("calls on one line are read, although each should have its own line", () => {
    expect(read("@get_time {}@get_time {}").toolCalls).toHaveLength(2);
  });

  test.each(["@ann please look", "Write to a@get_time or @get_time", "@get_time now", "@ann"])("%j is text", (text) => {
    expect(read(text)).toMatchObject({ text, toolCalls: [], invalidToolCalls: [] });
  });

  test("an unknown tool with arguments is reported", () => {
    expect(read('@fly {"to": "moon"}').invalidToolCalls).toMatchObject([{ error: { code: "unknown-tool" } }]);
  });

  test("the word `tool` may come before the name", () => {
    const call = '@tool kom.memory.v1.search_memory {"text": "project:metal"}';
    expect(read(call).toolCalls).toMatchObject([{ name: tools[0]!.name, arguments: { text: "project:metal" } }]);
    expect(read(call, "hermes").toolCalls).toHaveLength(1);
    expect(read("@tool get_time\n@tool get_time {}").toolCalls).toHaveLength(2);
    expect(read("@tool please").toolCalls).toEqual([]);
  });

  test("a tool named `tool` can be called", () => {
    const named = [{ name: "tool" }, ...tools];
    const calls = parseReply('@tool {"a": 1}\n@tool\n@tool get_time', {
      tools: named,
      protocol: "at-command",
    }).toolCalls;
    expect(calls.map(({ name }) => name)).toEqual(["tool", "tool", "get_time"]);
  });

  test("a tool's arguments may be in parentheses", () => {
    for (const end of ["", "\n", " # now", "\nOne moment."])
      expect(read(`Let me look.\n@kom.memory.v1.search_memory(text="a")${end}`).toolCalls).toMatchObject([
        { arguments: { text: "a" } },
      ]);
    for (const text of ['@ann(text="a")', "See @get_time() for it.", "@get_time ()", "`@get_time()`"])
      expect(read(text)).toMatchObject({ text, toolCalls: [], invalidToolCalls: [] });
    const call = '@kom.memory.v1.search_memory(text="a")';
    expect(read(call, "hermes")).toMatchObject({ text: call, toolCalls: [] });
    for (const text of ["@get_time() is how to ask", "@get_time()\ndef noon():"])
      expect(read(text)).toMatchObject({ toolCalls: [], invalidToolCalls: [{ error: { code: "malformed" } }] });
  });

  test.each(["@get_time\ndef noon():\n    pass", "@get_time\n\nclass Noon:", "@get_time\nasync def noon(): pass"])(
    "the decorator of a definition is text: %s",
    (code) => {
      for (const text of [code, `\`\`\`python\n${code}\n\`\`\`\nSo it is noon.`])
        for (const protocol of ["at-command", "hermes"] as const) {
          expect(read(text, protocol)).toMatchObject({ text, toolCalls: [], invalidToolCalls: [] });
          const parser = createReplyParser({ tools, protocol });
          expect(collectReply([...text].flatMap((char) => parser.push(char)).concat(parser.end())).text).toBe(text);
        }
    },
  );

  test("a lone `@` is text", () => {
    expect(read("Look:\n@").text).toBe("Look:\n@");
  });

  test("in another protocol only a tool's name makes it a call", () => {
    const css = "@media (print) {\n  a { color: red }\n}\n@font {x: 1}";
    expect(read(css, "hermes")).toMatchObject({ text: css, toolCalls: [], invalidToolCalls: [] });
    expect(read("@get_time {}", "hermes").toolCalls).toHaveLength(1);
  });
});
