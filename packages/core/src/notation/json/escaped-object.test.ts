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

test("in a string of JSON, or after a quotation mark on its line, it is quoted", () => {
  const quoted = tagged(escaped(run));
  for (const reply of [`"${quoted}" is logged.`, `{"role": "assistant", "content": "I call ${quoted} now"}`])
    expect(readings(reply, "hermes")).toEqual(["malformed"]);
  expect(readings(`"${quoted}${quoted}"`, "hermes")).toEqual(["malformed", "malformed"]);
  expect(readings(`I "run" it:\n${quoted}`, "hermes")).toEqual(wanted);
});

test("escaped quotes in a string are its text", () => {
  const call = { name: "run_job", arguments: { cmd: 'echo {"a": "b"}', dir: '{\\"a\\"}' } };
  expect(readings(tagged(JSON.stringify(call)), "hermes")).toEqual([["run_job", call.arguments]]);
});
