import { describe, expect, test } from "vitest";
import { parseReply } from "../../index.js";

const tools = [
  { name: "note", parameters: { type: "object", properties: { body: { type: "string" } }, required: ["body"] } },
];
const read = (text: string) => {
  const args = JSON.stringify({ input: text });
  const { toolCalls } = parseReply(`<tool_call>{"name": "note", "arguments": ${args}}</tool_call>`, {
    protocol: "hermes",
    tools,
  });
  return toolCalls[0]?.arguments ?? "refused";
};

describe("text under another key is the lone argument", () => {
  test.each([
    "call Ann",
    "do <b>call</b> Ann",
    "do <a class=x>call</a><br/>",
    "do <>call</>",
    "1 < 2",
    "do <br/>call</br>",
  ])("%s", (text) => expect(read(text)).toEqual({ body: text }));

  test.each(["call</b> Ann", "do <br>call</b>", "do </b><b>", "call</>"])("unless a closing tag is stray: %s", (text) =>
    expect(read(text)).toBe("refused"),
  );

  test("with many tags, in linear time", { timeout: 10_000 }, () => {
    const names = Array.from({ length: 150_000 }, (_, i) => `b${i}`);
    const open = names.map((name) => `<${name}>`).join("");
    const close = names
      .reverse()
      .map((name) => `</${name}>`)
      .join("");
    expect(read(`do ${open}${close}`)).toEqual({ body: `do ${open}${close}` });
  });
});
