import { describe, expect, test } from "vitest";
import { readInChunks } from "../../../test/support/read-in-chunks.js";
import type { RepairCode } from "../../types.js";
import { MAX_WORD } from "../forms/call-tag.js";
import { AttributeValue, type AttributeValuePlace } from "./attribute-value.js";

/** Reads a value from after its opening quote, in a `<call>` that can have the attributes `to` and `body`. */
function read(source: string, settings: Partial<AttributeValuePlace> = {}) {
  return readInChunks(source, () => {
    const repairs: RepairCode[] = [];
    const rejected: string[] = [];
    let value = "";
    const place: AttributeValuePlace = {
      quote: '"',
      tag: "call",
      opener: "<call ",
      isName: false,
      expects: (key) => ["to", "body"].includes(key),
      repaired: (code) => repairs.push(code),
      rejected: (reason) => rejected.push(reason),
      ...settings,
    };
    const reader = new AttributeValue(place, {
      text(piece) {
        expect(piece).not.toMatch(/[\ud800-\udbff]$/);
        value += piece;
      },
    });
    return { read: (input) => reader.read(input), found: () => ({ value, repairs, rejected }) };
  });
}

const fine = { status: "done", repairs: [], rejected: [] };

describe("a value between quotes", () => {
  test.each<[string, string, string, string]>([
    ["ends with its quote before the tag's end", 'Oslo 😀"/>', "Oslo 😀", "/>"],
    ["ends with its quote before another attribute", 'Oslo" body="x"', "Oslo", ' body="x"'],
    ["may be empty", '"/>', "", "/>"],
    ["has entities", 'a &lt; b &quot;c&quot;"/>', 'a < b "c"', "/>"],
    ["has backslashes", 'C:\\dir\\"/>', "C:\\dir\\", "/>"],
    ["has tags and the other quote", "<b>it's</b>\"/>", "<b>it's</b>", "/>"],
  ])("%s", (_, source, value, rest) => expect(read(source)).toEqual({ ...fine, value, rest }));

  test("may have the other quotes", () =>
    expect(read('say "x"\'/>', { quote: "'" })).toEqual({ ...fine, value: 'say "x"', rest: "/>" }));

  test.each<[string, string, string, RepairCode]>([
    ["a quote that does not end it", 'say "x" now"/>', 'say "x" now', "unescaped-quote"],
    ["a quote after a backslash", 'say \\"x\\" now"/>', 'say "x" now', "invalid-escape"],
  ])("may contain %s, which is a repair", (_, source, value, code) =>
    expect(read(source)).toMatchObject({ status: "done", value, repairs: [code, code], rejected: [] }),
  );

  test("makes no call where an unescaped quote may hide an attribute or the tag's end", () => {
    const twice = ["a value's quotes can be read in more than one way"];
    expect(read('x to=1 "y" z"/>').rejected).toEqual(twice);
    expect(read('x \'/> "y" z"/>').rejected).toEqual(twice);
    expect(read('x <b to=1> "y" z"/>').rejected).toEqual([]);
    expect(read('x at=1 "y" z"/>').rejected).toEqual([]);
    expect(read('x to=1 z"/>').rejected).toEqual([]);
    expect(read('Oslo" units<|end|>="x"/>').rejected).toEqual(twice);
  });

  test.each(['"Oslo""/>', 'Oslo""/>', '"Oslo"/>', 'Oslo" ="2"/>'])(
    "makes no call where quotes are doubled: %s",
    (source) => {
      expect(read(source).rejected).toHaveLength(1);
      expect(read(source.replaceAll('"', '\\"').replace('\\"/>', '"/>')).rejected).toHaveLength(
        source.includes("=") ? 1 : 0,
      );
    },
  );

  test("may have quotes at an end that belong to a pair", () =>
    expect(read('say "x""/>')).toMatchObject({ value: 'say "x"', rejected: [] }));

  test("waits for its end, and for what may follow a quote", () => {
    expect(read("Oslo")).toMatchObject({ status: "more", value: "Oslo" });
    expect(read("Oslo &am")).toMatchObject({ status: "more", value: "Oslo &am" });
    expect(read("Oslo <cal")).toMatchObject({ status: "more", value: "Oslo <cal" });
  });

  test("cannot be read where another call begins before its end", () =>
    expect(read('Oslo <call name="x"/>')).toMatchObject({ status: "fail", rest: '<call name="x"/>' }));
});

describe("a value that is a name", () => {
  test("ends with the first quote", () =>
    expect(read('add"now" x', { isName: true })).toMatchObject({ ...fine, value: "add", rest: 'now" x' }));

  test("cannot be longer than any name", () => {
    const long = "n".repeat(MAX_WORD);
    expect(read(`${long}"/>`, { isName: true }).status).toBe("done");
    expect(read(`${long}n"/>`, { isName: true })).toMatchObject({ status: "fail", value: `${long}n` });
    expect(read(`${long}😀"/>`, { isName: true })).toMatchObject({ status: "fail", value: `${long}😀` });
    expect(read(`${long}&lt;"/>`, { isName: true }).status).toBe("fail");
  });
});
