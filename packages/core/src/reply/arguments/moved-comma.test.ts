import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const hermes = (args: string) => `<tool_call>\n{"name": "book", "arguments": ${args}}\n</tool_call>`;

describe("a comma within the last quote of a text", () => {
  test.each([
    ["in an object", hermes('{"venue": "Hall," "guests": "Ann"}')],
    ["in a list", hermes('{"venue": "Hall", "guests": ["Ann," "Bob"]}')],
  ])("may belong after it where it is missing: %s", (_, reply) =>
    expect(readings(reply, "hermes")).toEqual(["malformed"]),
  );

  test.each([
    ["nothing is missing", hermes('{"venue": "Hall,", "guests": "}"}'), { venue: "Hall,", guests: "}" }],
    ["a bracket is", hermes('{"venue": "Hall,", "guests": "a"'), { venue: "Hall,", guests: "a" }],
  ])("is text if %s", (_, reply, args) => expect(readings(reply, "hermes")).toEqual([["book", args]]));
});

test("an empty key is not an argument", () =>
  expect(readings(hermes('{"venue": "Hall", "": "Ann"}'), "hermes")).toEqual(["malformed"]));
