import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const hermes = (args: string) => `<tool_call>\n{"name": "book", "arguments": ${args}}\n</tool_call>`;

describe("punctuation within the last quote of a text", () => {
  test.each([
    ["a comma", hermes('{"venue": "Hall," "guests": "Ann"}')],
    ["a bracket", hermes('{"venue": "Hall}"')],
    ["a bracket of Python", '<tool_call>[book(venue="Hall)"]</tool_call>'],
  ])("may belong after it where it is missing: %s", (_, reply) =>
    expect(readings(reply, "hermes")).toEqual(["malformed"]),
  );

  test.each([
    ["nothing is missing", hermes('{"venue": "Hall,", "guests": "}"}'), { venue: "Hall,", guests: "}" }],
    ["the text opens its bracket", hermes('{"venue": "f() {}", "guests": "a"'), { venue: "f() {}", guests: "a" }],
    ["another one is missing", hermes('{"venue": "Hall," , "guests": "a"'), { venue: "Hall,", guests: "a" }],
  ])("is text if %s", (_, reply, args) => expect(readings(reply, "hermes")).toEqual([["book", args]]));
});

test("an empty key is not an argument", () =>
  expect(readings(hermes('{"venue": "Hall", "": "Ann"}'), "hermes")).toEqual(["malformed"]));
