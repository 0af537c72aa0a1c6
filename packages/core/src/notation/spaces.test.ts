import { describe, expect, test } from "vitest";
import { collectReply, createReplyParser, type ProtocolName } from "../index.js";
import { isSpace } from "./input.js";

const tools = [{ name: "get_time", parameters: { type: "object", properties: { zone: { type: "string" } } } }];

/** The reply's calls with the text of their arguments, and the rest of it; the same in any chunks. */
function read(reply: string, protocol: ProtocolName | "auto", untrusted?: readonly string[]) {
  const [whole, pieces] = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ tools, protocol, untrusted });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    const { toolCalls, invalidToolCalls, text } = collectReply(events);
    const json = events.flatMap((event) => (event.type === "call-delta" ? [event.argumentsDelta] : [])).join("");
    const args = toolCalls.map((call) => call.arguments);
    return { args, invalid: invalidToolCalls.map(({ error }) => error.message), json, text: text.trim() };
  });
  expect(pieces).toEqual(whole);
  return whole!;
}

const SPACES = [
  ...Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((char) => /\s/.test(char)),
  "\u200b",
];
const named = SPACES.map((char) => [char.charCodeAt(0).toString(16), char] as const);

test("white space is that of regular expressions, and the zero-width space", () => {
  for (let code = 0; code < 0x10000; code++)
    expect(isSpace(code)).toBe(code === 0x200b || /\s/.test(String.fromCharCode(code)));
});

const qwen = (space: string) =>
  `<tool_call>${space}<function=get_time>${space}<parameter=zone>UTC</parameter>${space}</function>${space}</tool_call>`;

describe.each(named)("white space U+%s", (_, space) => {
  const object = (at: string) =>
    `{${at}"name":${at}"get_time",${at}"arguments"${at}:${at}{"zone":${at}"UTC"${at}}${at}}`;
  const replies: [ProtocolName | "auto", string, string][] = [
    ["hermes", `<tool_call>${space}${object(space)}${space}</tool_call>`, `<tool_call>${object("")}</tool_call>`],
    // Bare JSON with a zero-width space is text.
    ...(space === "\u200b" ? [] : (["llama3-json", "auto"] as const)).map(
      (protocol): [ProtocolName | "auto", string, string] => [protocol, object(space), object("")],
    ),
    ["qwen3-coder", qwen(space), qwen("")],
    ["pythonic", `[get_time(${space}zone${space}=${space}"UTC"${space})]`, '[get_time(zone="UTC")]'],
  ];

  test.each(replies)("is read in a call of %s", (protocol, reply) => {
    const { args, invalid, json, text } = read(reply, protocol);
    expect({ args, invalid, text }).toEqual({ args: [{ zone: "UTC" }], invalid: [], text: "" });
    expect(JSON.parse(json)).toEqual({ zone: "UTC" });
  });

  test.each(replies)("in a copied call of %s, or in its original, hides no copy", (protocol, reply, plain) => {
    for (const [copy, original] of [
      [reply, plain],
      [plain, reply],
      [reply, reply],
    ] as const)
      expect(read(copy, protocol, [`A page: ${original} and more.`]).args).toEqual([]);
  });
});
