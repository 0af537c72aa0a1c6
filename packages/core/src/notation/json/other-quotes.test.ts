import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const called = (fields: string) => `<tool_call>{"name": "book", "arguments": {${fields}}}</tool_call>`;
const booked = (venue: string) => called(`"venue": ${venue}, "note": "x"`);
const pairs = [
  ...["“”", '“"', "„“", "„”", '„"', "””", "‘’", "‘'", "«»", "‹›", "「」", "『』", "＂＂", "″″", "´´", "``"].map(
    (pair) => [...pair],
  ),
  ["''", "''"],
] as [string, string][];

describe("quotation marks of prose", () => {
  test.each(pairs)("around a value are no part of it: %s %s", (open, close) => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zäß牛][a-zäß牛 ,.:;!?(){}-]{0,20}$/u), (text) => {
        expect(readings(booked(open + text + close), "hermes")).toEqual([["book", { venue: text, note: "x" }]]);
      }),
      { numRuns: 20 },
    );
  });

  test.each(pairs.filter(([open]) => open.length < 2))("around a key are no part of it: %s %s", (open, close) => {
    const fields = `${open}venue${close}: ${open}Old Hall${close}, ${open}note${close}: 1`;
    expect(readings(called(fields), "hermes")).toEqual([["book", { venue: "Old Hall", note: "1" }]]);
  });

  test.each(["”", "’", "“", "'"])("may end a declared key that began with another one: %s", (mark) => {
    expect(readings(called(`"venue${mark}: "Old Hall", "note": 1`), "hermes")).toEqual([
      ["book", { venue: "Old Hall", note: "1" }],
    ]);
    expect(readings(called(`"hall${mark}: "Old Hall", "note": 1`), "hermes")).toEqual(["malformed"]);
  });

  test.each([
    ["apostrophes", "‘Ann’s hall’", "Ann’s hall"],
    ["quotes of JSON", '“the "Old" Hall”', 'the "Old" Hall'],
    ["JSON", '“{"a": "b"}”', '{"a": "b"}'],
    ["other quotes", "«the “Old” Hall»", "the “Old” Hall"],
    ["single quotes", "‘the 'Old' Hall’", "the 'Old' Hall"],
    ["one of two", "''Ann's hall''", "Ann's hall"],
    ["an escape", "„a\\nb“", "a\nb"],
  ])("may contain %s", (_, written, venue) => {
    expect(readings(booked(written), "hermes")).toEqual([["book", { venue, note: "x" }]]);
  });

  test.each(pairs)("are around items of a list: %s %s", (open, close) => {
    const items = [`${open}b${close}`, `${open}c d${close}`];
    const call = `<tool_call>{"name": "query", "arguments": {"filters": ["a", ${items}, "e"]}}</tool_call>`;
    expect(readings(call, "hermes")).toEqual([["query", { filters: ["a", "b", "c d", "e"] }]]);
    if (open !== "''")
      expect(readings(`[query(filters=["a", ${items}, "e"])]`, "pythonic")).toEqual(readings(call, "hermes"));
  });

  test.each(["‘the guests’ hall’", "«the «Old» Hall»", "„Old“ Hall“", "“Old Hall"])(
    "make no call in doubt: %s",
    (written) => {
      expect(readings(booked(written), "hermes")).toEqual([expect.any(String)]);
    },
  );
});
