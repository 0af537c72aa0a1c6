import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { readings } from "../../../test/support/readings.js";

const hermes = (json: string) => `<tool_call>${json}</tool_call>`;
const call = (args: string) => hermes(`{"name": "run_job", "arguments": {"cmd": ${args}}}`);
const escaped = (value: string) => hermes(String.raw`{\"name\": \"run_job\", \"arguments\": {\"cmd\": \"${value}\"}}`);

describe("a line break between the tokens of JSON that is written as in a string", () => {
  test("is white space", () => {
    const written = String.raw`{\n  "name": "run_job",\n\t"arguments": {\n"cmd": "a"\n}\n}\n`;
    expect(readings(hermes(written), "hermes")).toEqual([["run_job", { cmd: "a" }]]);
  });

  test.each([String.raw`\temp\new`, String.raw`\readme`, String.raw`\notes`])(
    "is a part of a value without quotes: %s",
    (value) => expect(readings(call(value), "hermes")).toEqual([["run_job", { cmd: value }]]),
  );

  test("is a part of a value in Python", () =>
    expect(readings(String.raw`[run_job(cmd=\temp)]`, "pythonic")).toEqual([["run_job", { cmd: String.raw`\temp` }]]));
});

describe("an object whose quotes are all escaped", () => {
  test.each([
    [String.raw`C:\\Users`, String.raw`C:\Users`],
    [String.raw`use \u here`, String.raw`use \u here`],
    [String.raw`\\u00e9 \u00e9`, "é é"],
    [String.raw`say \\\"hi\\\"`, 'say "hi"'],
  ])("has the text without these escapes: %s", (value, cmd) =>
    expect(readings(escaped(value), "hermes")).toEqual([["run_job", { cmd }]]),
  );

  test("is followed by the answer", () => {
    const written = String.raw`{\"name\": \"get_weather\", \"arguments\": {\"city\": \"C:\\Users\"}}`;
    expect(pieces(`${hermes(written)}\nDone.`, "hermes")).toEqual([
      ["call", "get_weather"],
      ["text", "Done."],
    ]);
  });
});
