import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

/** An object as it is in a string of JSON, without that string's quotes. */
const escaped = (value: object, space = 0) =>
  JSON.stringify(JSON.stringify(value, null, space).replaceAll("\n", "")).slice(1, -1);
const tagged = (json: string) => `<tool_call>${json}</tool_call>`;
const run = { name: "run_job", arguments: { cmd: "ls", dir: "a" } };
const wanted = [["run_job", run.arguments]];

describe("an object whose quotes are all escaped once more", () => {
  test.each([
    ["the call", tagged(escaped(run))],
    ["the arguments", tagged(`{"name": "run_job", "arguments": ${escaped(run.arguments, 1)}}`)],
    ["on lines", tagged(JSON.stringify(run, null, 2).replaceAll('"', '\\"'))],
    ["with the arguments in a string", tagged(escaped({ ...run, arguments: JSON.stringify(run.arguments) }))],
    ["in a list", `[TOOL_CALLS][${escaped(run)}]`],
  ])("is read: %s", (_, reply) => expect(readings(reply, "auto")).toEqual(wanted));

  test("is read with any texts", () => {
    fc.assert(
      fc.property(fc.string(), (cmd) => {
        fc.pre(!/[\b\f<\ud800-\udfff]/.test(cmd));
        const call = { name: "run_job", arguments: { cmd, dir: "a" } };
        expect(readings(tagged(escaped(call)), "hermes")).toEqual([["run_job", call.arguments]]);
      }),
    );
  });

  test.each([
    ["a quote that is not", '{\\"name\\": \\"run_job\\", "arguments": {\\"cmd\\": \\"ls\\"}}'],
    [
      "a quote in a string that is not escaped twice",
      '{\\"name\\": \\"run_job\\", \\"arguments\\": {\\"cmd\\": \\"a \\"b\\"\\"}}',
    ],
    ["a string that ends with the call", '{\\"name\\": \\"run_job\\", \\"arguments\\": {\\"cmd\\": \\"ls'],
    ["no closing bracket", '{\\"name\\": \\"run_job\\", \\"arguments\\": {\\"cmd\\": \\"ls\\"'],
    ["a key twice", '{\\"name\\": \\"run_job\\", \\"arguments\\": {\\"cmd\\": \\"a\\", \\"cmd\\": \\"b\\"}}'],
    ["an escape too few", '{\\"name\\": \\"run_job\\", \\"arguments\\": {\\"cmd\\": \\"C:\\\\temp\\"}}'],
  ])("is no call with %s, and the next call is one", (_, json) =>
    expect(readings(tagged(json) + tagged(JSON.stringify(run)), "hermes")).toEqual(["malformed", ...wanted]),
  );
});

test.each([
  ["gigachat3", "<|function_call|>", ""],
  ["hermes", "<tool_call>", "</tool_call>"],
] as const)("in %s one that is broken ends before the next call", (protocol, opener, closer) => {
  const next = opener + JSON.stringify(run) + closer;
  for (const args of ['{\\"}}', '{\\"cmd\\": \\"ls}}', '{\\"cmd\\": \\"ls\\"'])
    expect(readings(`${opener}{"name": "run_job", "arguments": ${args}\n${next}`, protocol)).toEqual([
      "malformed",
      ...wanted,
    ]);
});

describe("where the reply may quote it, it makes no call", () => {
  const quoted = tagged(escaped(run));
  const element = `<run_job>${escaped(run.arguments)}</run_job>`;
  const action = `Action: run_job\nAction Input: ${escaped(run.arguments)}`;

  test.each([
    ["hermes", `"${quoted}" is logged.`],
    ["hermes", `{"role": "assistant", "content": "I call ${quoted} now"}`],
    ["hermes", `{"content": "I call it.\n${quoted}"}`],
    ["hermes", `He wrote 'I call it.\n${quoted}'`],
    ["hermes", `He wrote “I call it.\n${quoted}”`],
    ["hermes", `He wrote «I call it.\n${quoted}»`],
    ["hermes", `He wrote \`I call it.\n${quoted}\``],
    ["hermes", `I "run" it:\n${quoted}`],
    ["tool-tags", `{"x": "\n${element}"}`],
    ["react", `{"x": "I call it.\n${action}"}`],
    ["react", `He wrote 'I call it.\n${action}'`],
    ["auto", `{"x": "I call it.\n${action}"}`],
  ] as const)("in %s: %s", (protocol, reply) => expect(readings(reply, protocol)).toEqual(["malformed"]));

  test.each([
    ["llama3-json", `He wrote "I call it.\n${escaped(run)}`],
    ["hermes", `<think>He wrote "I call it.\n${quoted}`],
  ] as const)("in %s it is text: %s", (protocol, reply) => expect(readings(reply, protocol)).toEqual([]));

  test("nor does the next one", () =>
    expect(readings(`"${quoted}${quoted}"`, "hermes")).toEqual(["malformed", "malformed"]));

  test.each([
    '"name": "run_job", oops! "arguments": {"cmd": "It is:',
    '"name": "run_job", "arguments": {"dir": }{ "cmd": "It is:',
    '"name": "run_job", "arguments": {"dir": "a"}} "It is:',
  ])("nor does one in a string of a call that is broken: %s", (before) => {
    const broken = `<tool_call>{${before}\n${quoted}"}}</tool_call>`;
    expect(readings(broken, "hermes")?.filter((found) => JSON.stringify(found).includes("ls"))).toEqual([]);
  });

  test.each(["I'll run it:\n", "The job's output isn't known. ", "It’s run: "])(
    "an apostrophe is no quotation: %j",
    (words) => {
      expect(readings(words + quoted, "hermes")).toEqual(wanted);
      expect(readings(`${words}\n${action}`, "react")).toEqual(wanted);
    },
  );
});

test("escaped quotes in a string are its text", () => {
  const call = { name: "run_job", arguments: { cmd: 'echo {"a": "b"}', dir: '{\\"a\\"}' } };
  expect(readings(tagged(JSON.stringify(call)), "hermes")).toEqual([["run_job", call.arguments]]);
});
