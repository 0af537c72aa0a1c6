import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";
import { createReplyParser, parseReply } from "../../index.js";

const wanted = [["f", { a: 1 }]];
const labels = ["Input", "Arguments", "Args", "Parameters", "Tool Input", "Action Arguments", "Action Parameters"];

describe.each(["react", "hermes"] as const)("in %s, before an object and after a tool's name", (protocol) => {
  test.each([
    ...[...labels, "**Input", "input"].map((label) => `${label}: {"a": 1}`),
    ...['Input:\n{"a": 1}', 'Args:\n```json\n{"a": 1}\n```', '{"a": 1}', '```json\n{"a": 1}\n```'],
  ])("%j is the input", (input) => expect(readings(`Action: f\n${input}`, protocol)).toEqual(wanted));
});

test("several calls each have theirs", () =>
  expect(readings('Action: f\nInput: {"a": 1}\nAction: f\nArgs: {"a": 1}', "react")).toEqual([...wanted, ...wanted]));

test("a second input makes the call invalid; after the format's own label, only one after a short label", () => {
  for (const label of labels) {
    const inputs = (first: string) => readings(`Action: f\n${first}{"a": 1}\n${label}: {"a": 2}`, "react");
    for (const first of ["Input: ", "Args:\n", ""]) expect(inputs(first)).toEqual(["malformed"]);
    expect(inputs("Action Input: ")).toEqual(/^\w{1,5}$/.test(label) ? ["malformed"] : wanted);
  }
});

test("an object without a label that begins like a call is no input", () => {
  const call = '{"name": "set_lamp", "parameters": {"level": 1}}';
  expect(readings(`Action: f\n${call}`, "llama3-json")).toEqual(["malformed", ["set_lamp", { level: 1 }]]);
});

describe("an object without a label may be a made-up result, which is text", () => {
  test.each([
    '\n{"time": "12:00"}\n\nIt is noon.',
    '\n\n{"time": "12:00"}\n\nIt is noon.',
    '\n```json\n{"time": "12:00"}\n```\nIt is noon.',
    '\n\n\n{"time": "12:00"}\nFinal Answer: noon',
  ])("after a tool without arguments: %j", (result) =>
    expect(
      parseReply(`Action: now${result}`, {
        protocol: "react",
        tools: [{ name: "now", parameters: { type: "object" } }],
      }),
    ).toMatchObject({ toolCalls: [{ name: "now", arguments: {} }], text: expect.stringContaining("12:00") }),
  );

  test.each(['\n{"time": "12:00"}', '\n\n{"a": 1}', '\n\n```json\n{"a": 1}\n```'])(
    "if another key is its first, or a blank line is before it: %j",
    (result) => expect(readings(`Action: f${result}`, "react")).not.toContainEqual(["f", { a: 1 }]),
  );

  test.each(['\n  {"a": 1}', ' \r\n{"a": 1}', '\n```\n\n{"a": 1}\n```'])("but not in %j", (input) =>
    expect(readings(`Action: f${input}`, "react")).toEqual(wanted),
  );
});

test("words after such a label are text, and so is it after a name that is no tool's", () => {
  expect(readings("Action: f\nInput: none is needed.", "react")).toEqual([["f", {}]]);
  expect(readings("Action: required\nInput: see below", "react")).toEqual([]);
  expect(readings('Action: required\nInput: {"a": 1}', "react")).toEqual([]);
  expect(readings('Input: {"a": 1}', "react")).toEqual([]);
});

describe.each(["react", "auto"] as const)("in %s, much space is read in linear time", (protocol) => {
  test.each(["Input: {", "{", "Arguments:\n{", "Input: ```json\n", "Input:", ""])(
    "after %j",
    { timeout: 3000 },
    (before) => {
      const parser = createReplyParser({ protocol, tools: [{ name: "now", parameters: { type: "object" } }] });
      const events = parser.push(`Action: now\n${before}`);
      for (let i = 0; i < 60_000; i++) events.push(...parser.push("       "));
      expect([...events, ...parser.end()].filter(({ type }) => type.startsWith("call-"))).not.toEqual([]);
    },
  );
});
