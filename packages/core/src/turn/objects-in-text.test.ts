import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { objectsInText, onlyObjectIn, valuesInText } from "./objects-in-text.js";

const words = fc.string().map((text) => text.replace(/[{}\\]/g, " "));
const objects = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });

describe("JSON objects in a text", () => {
  it("are found with any text around and in them", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(words, objects)), words, (parts, rest) => {
        const json = parts.map(([, object]) => JSON.stringify(object));
        const text = parts.map(([before], i) => before + json[i]).join("") + rest;
        expect([...objectsInText(text)]).toEqual(json);
      }),
    );
  });

  it("are read in linear time", () => {
    expect([...objectsInText('{"'.repeat(200_000))]).toEqual([]);
    expect([...objectsInText("{}".repeat(200_000))]).toHaveLength(200_000);
  });

  it("are found beside lists, of which those within a sentence are none", () => {
    expect([...valuesInText('As [1] says: **[1, {"a": [2]}]**\n[3]\nNot [4], but {"b": [5]}. `[6')]).toEqual([
      '[1, {"a": [2]}]',
      "[3]",
      '{"b": [5]}',
    ]);
    expect([...valuesInText(`${" ".repeat(40)}[1]`)]).toEqual([]);
    expect([...valuesInText("[".repeat(200_000))]).toEqual([]);
    expect([...valuesInText("a[]".repeat(200_000))]).toEqual([]);
  });

  it("are ignored if two could be meant", () => {
    const read = (json: string) => JSON.parse(json) as unknown;
    expect(onlyObjectIn('{"a":1} or {"a": 1}', read)).toEqual({ a: 1 });
    expect(onlyObjectIn('{"a":1} or {"a":2}', read)).toBeUndefined();
    expect(onlyObjectIn("none", read)).toBeUndefined();
  });
});
