import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keptJson, unkeptNumber } from "./kept-json.js";

const long = fc.bigInt({ min: 10n ** 17n, max: 10n ** 25n }).map((n) => `${n}1`);

describe("JSON with its digits", () => {
  it("has the digits of a number that JavaScript cannot represent as a string", () => {
    expect(keptJson('{"id": -12345678901234567891, "a": [1e400, 1.5, "12345678901234567891"]}')).toEqual({
      id: "-12345678901234567891",
      a: ["1e400", 1.5, "12345678901234567891"],
    });
    expect(keptJson("12345678901234567891")).toBe("12345678901234567891");
    expect(keptJson('{"id": 12345678901234567891')).toBeUndefined();
    expect(keptJson("0123456789012345678")).toBeUndefined();
  });

  it("names the first such number, and none within strings", () => {
    expect(unkeptNumber('{"12345678901234567891": "\\"12345678901234567891", "b": 9007199254740993}')).toBe(
      "9007199254740993",
    );
    for (const json of ['"1e400"', "[9007199254740992, 1e22, 0.12345678901234567]", "{}"])
      expect(unkeptNumber(json)).toBeUndefined();
  });

  it("is what JSON.parse reads, if it keeps all numbers", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        if (unkeptNumber(json) === undefined) expect(keptJson(json)).toEqual(JSON.parse(json));
      }),
    );
  });

  it("differs from it only in such numbers, wherever they are", () => {
    const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.string(),
        long.map((digits) => ({ digits })),
        fc.array(tie("value")),
        fc.dictionary(fc.string(), tie("value")).filter((object) => !("digits" in object)),
      ),
    })).value;
    const isLong = (part: unknown): part is { digits: string } =>
      typeof part === "object" && part !== null && "digits" in part;
    fc.assert(
      fc.property(value, (given) => {
        const written: string[] = [];
        const kept = JSON.stringify(given, (_, part) => (isLong(part) ? `§${part.digits}§` : part));
        const json = kept.replace(/"§(\d+)§"/g, "$1");
        const strings = kept.replace(/"§(\d+)§"/g, '"$1"');
        expect(keptJson(json, (digits) => written.push(digits))).toEqual(JSON.parse(strings));
        expect(written).toEqual([...kept.matchAll(/"§(\d+)§"/g)].map(([, digits]) => digits));
      }),
    );
  });
});
