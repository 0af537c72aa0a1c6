import { expect, test } from "vitest";
import { createReplyParser, parseReply } from "../full/index.js";
import { type ProtocolName, protocols } from "../protocols/index.js";
import { formsOf } from "../syntax/syntax.js";

const names = Object.keys(protocols) as ProtocolName[];
const blocks = names.flatMap((name) =>
  formsOf(protocols[name].syntax)
    .flatMap(({ block }) => block ?? [])
    .filter(({ open, close }) => /\p{L}/u.test(open) && /\p{L}/u.test(close))
    .map(({ open, close }) => [name, open.replace(/\[$/, "").trim(), close.replace(/^\]/, "").trim()] as const),
);

test.each(blocks)("in %s a block %s…%s without a readable call ends at its closing marker", (protocol, open, close) => {
  const tools = [{ name: "f", parameters: { type: "object" } }];
  // A marker that begins with a bracket is a list where a value may begin.
  const unfinished = close.startsWith("[") ? [] : ['{"f": '];
  for (const body of ["no call", "f", "<f", "[1, 2", ...unfinished]) {
    const reply = `Before. ${open}${body}${close} After.`;
    const results = [[reply], [...reply]].map((chunks) => {
      const parser = createReplyParser({ protocol, tools });
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
      return { text, calls: events.filter(({ type }) => type === "call-end").length };
    });
    expect(results[1]).toEqual(results[0]);
    expect(results[0]?.text).toMatch(/ After\.$/);
    // Only a tool's name is a call, in formats that need no arguments.
    if (body !== "f") expect(results[0]?.calls).toBe(0);
  }
});

test.each([
  ["apertus", '<|tools_prefix|>[{"note" {"text": "doc <|tools_suffix|>'],
  ["hunyuan-v3", "<tool_calls>\n<tool_call>note<tool_sep>\n<arg_key>text</arg_kee><arg_value>doc </tool_calls>"],
  ["minimax-m2", '<minimax:tool_call><invoke name="note">{"text": "a"}'],
  ["functionary", '<function=note>{"text": "a"}'],
] as const)("JSON after an invalid call of %s may be a part of it, so it is no call", (protocol, before) => {
  const tools = ["note", "delete_all"].map((name) => ({ name, parameters: { type: "object" as const } }));
  const reply = `${before}\n{"name": "delete_all", "arguments": {}}\n`;
  expect(parseReply(reply, { protocol, tools }).toolCalls).toEqual([]);
});
