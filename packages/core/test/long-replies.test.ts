import { describe, expect, test } from "vitest";
import { type ProtocolName, parseReply } from "../src/index.js";

// The stack of V8's regular expressions holds one entry for each repetition of a group; with the flag `u`, of a class too; and
// of anything with `+`, once a process has so many patterns that they are not optimized. It overflows after four to nine
// million.
const LENGTH = 9_000_000;
const many = (text: string) => text.repeat(LENGTH / text.length);

const tools = [
  {
    name: "f",
    parameters: {
      type: "object",
      properties: { s: { type: "string" }, d: { type: "integer" }, e: { enum: ["a b"] }, l: { type: "array" } },
    },
  },
  { name: "run", parameters: { type: "object", properties: { code: { type: "string" } }, required: ["code"] } },
];

/** The lengths of the arguments of a reply's call, or the code of its error; the length of a reply without a call. */
function read(protocol: ProtocolName, reply: string): unknown {
  const { toolCalls, invalidToolCalls, text } = parseReply(reply, { protocol, tools });
  const [call] = toolCalls;
  if (!call) return invalidToolCalls[0]?.error.code ?? text.length;
  return Object.fromEntries(Object.entries(call.arguments).map(([key, value]) => [key, String(value).length]));
}

const hermes = (args: string) => `<tool_call>{"name": "f", "arguments": ${args}}</tool_call>`;
const qwen = (inside: string) => `<tool_call><function=f>${inside}</function></tool_call>`;

describe("a reply is read that has millions of characters", () => {
  test.each<[string, ProtocolName, string, unknown]>([
    ["in double quotes on a line", "yaml", `<f>\ns: "${many("x")}",\nd: 2\n</f>`, { s: LENGTH, d: 1 }],
    ["in single quotes on a line", "yaml", `<f>\ns: '${many("x")}',\nd: 2\n</f>`, { s: LENGTH, d: 1 }],
    ["in quotes on a line of JSON", "hermes", hermes(`"s: \\"${many("x")}\\"\\nd: 2"`), { s: LENGTH, d: 1 }],
    [
      "in quotes on a line of an input",
      "react",
      `Action: f\nAction Input:\ns: "${many("x")}"\nd: 2`,
      { s: LENGTH, d: 1 },
    ],
    ["on a line of another script", "hermes", hermes(`"s: ${many("я")}\\nd: 2"`), { s: LENGTH, d: 1 }],
    ["before a colon on a line", "yaml", `<f>\ns${many(" ")}: я:\nd: 2\n</f>`, "malformed"],
    ["of the indentation of a line", "yaml", `<f>\ns: a: b\n${many(" ")}я: 2\n</f>`, { s: LENGTH + 9 }],
    ["in lines of comments", "yaml", `<run>\n${many("#\n")}ls\n</run>`, { code: LENGTH + 2 }],
    ["of the name of a tag", "qwen3-coder", qwen(`<parameter=s>a</parameter><${many("я")}`), "malformed"],
    [
      "of the name of a nested tag",
      "qwen3-coder",
      qwen(`<parameter=l><${many("я")}>a</a></parameter>`),
      { l: LENGTH + 7 },
    ],
    ["of space within a tag", "qwen3-coder", qwen(`я<parameter${many(" ")}=s>a</parameter>`), "malformed"],
    ["of the name of an attribute", "tool-tags", `<tool_call name="f" ${many("я")}="a"/>`, "malformed"],
    ["of space in a key", "hermes", hermes(`{"я": 1, "s${many(" ")}: "a"}`), "malformed"],
    [
      "of words in a key",
      "functiongemma",
      `<start_function_call>call:f{s${many(" я")}:1}<end_function_call>`,
      "malformed",
    ],
    ["of space in a listed value", "hermes", hermes(`{"e": "a${many(" ")}я"}`), "invalid-arguments"],
    ["of groups of digits", "hermes", hermes(`{"d": "1${many(",000")}"}`), "invalid-arguments"],
    ["in inline code", "react", `Action: run\nAction Input: \`${many("я")}\``, { code: LENGTH }],
    ["of space after a marker", "hermes", `Use <tool_call>${many(" ")}я`, LENGTH + 16],
  ])("%s", (_, protocol, reply, wanted) => {
    expect(read(protocol, reply)).toEqual(wanted);
  });
});
