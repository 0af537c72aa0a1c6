import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planFor } from "../../schema/plan.js";
import type { JsonSchema } from "../../types.js";
import { BOOLEANS, listed, mayBeThousands, withoutSeparators } from "./text-values.js";

const planOf = (schema: JsonSchema) => planFor({ type: "object", properties: { n: schema } }).properties.get("n")!;
const number = planOf({ type: "number" });
const integer = planOf({ type: "integer" });
const text = planOf({ type: "string" });
const unit = planOf({ enum: ["celsius", "degree F", "2"] });

describe("the items of a list in a text", () => {
  test("are the numbers that were joined by a comma, a line break or a space", () => {
    const numbers = fc.array(fc.integer({ min: -99, max: 99 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(numbers, fc.constantFrom(",", ", ", "\n", "\r\n", " ", "  "), (items, separator) => {
        expect(listed(` ${items.join(separator)}\n`, integer)).toEqual(items.map(String));
        const mayBeDecimal = separator === "," && items.length === 2 && items.every((item, i) => i === 0 || item >= 0);
        expect(listed(items.join(separator), number)).toEqual(mayBeDecimal ? undefined : items.map(String));
      }),
    );
  });

  test.each([
    ["- a, b\n- c", text, ["a, b", "c"]],
    ["1. a\n 2) b \n* c\r\n• d", text, ["a", "b", "c", "d"]],
    ["celsius, degree F\n2", unit, ["celsius", "degree F", "2"]],
    ["1,000 ", number, undefined],
    ["1,250, 3", number, undefined],
    ["1 000, 2 000", number, undefined],
    ["1 000", number, undefined],
    ["1.5, 2,5", number, undefined],
    ["0,5, 0,75", number, undefined],
    ["1,2, 3", integer, ["1", "2", "3"]],
    ["1.5, 2.5", number, ["1.5", "2.5"]],
    ["1,5", number, undefined],
    ["-9,99 ", number, undefined],
    ["1,5\n2,5", number, undefined],
    ["1,5", integer, ["1", "5"]],
    ["1,2,3", number, ["1", "2", "3"]],
    ["1.5,2.5", number, ["1.5", "2.5"]],
    ["1000 2000", number, ["1000", "2000"]],
    ["1, two", number, undefined],
    ["celsius, kelvin", unit, undefined],
    ["a, b", text, undefined],
    ["1, 2", text, undefined],
    ["7", number, undefined],
    ["- a\nb", text, undefined],
    ["- a", text, undefined],
    ["1234. a\n5. b", text, undefined],
    ["", number, undefined],
  ])("in %j", (written, items, wanted) => expect(listed(written, items)).toEqual(wanted));
});

describe("a number without what separates its thousands", () => {
  test("is the same number", () => {
    const grouped = (digits: string, separator: string) => digits.replace(/\B(?=(\d{3})+$)/g, separator);
    fc.assert(
      fc.property(fc.integer({ min: 1_000_000, max: 2_000_000_000 }), fc.nat(999), (whole, part) => {
        expect(Number(withoutSeparators(grouped(String(whole), ",")))).toBe(whole);
        expect(Number(withoutSeparators(`-${grouped(String(whole), "_")}`))).toBe(-whole);
        expect(Number(withoutSeparators(`${grouped(String(whole), ",")}.${part}`))).toBe(Number(`${whole}.${part}`));
        expect(Number(withoutSeparators(`${grouped(String(whole), ".")},${part}`))).toBe(Number(`${whole}.${part}`));
      }),
    );
  });

  test.each([
    ["1,250", "1,250"],
    ["1,250.50", "1250.50"],
    ["1_250", "1250"],
    ["1.250", "1.250"],
    ["0.250,5", "0.250,5"],
    ["12,34,567", "12,34,567"],
    ["1234,567.8", "1234,567.8"],
    ["a 1_000", "a 1_000"],
  ])("is decided only where it has one meaning: %s", (written, wanted) =>
    expect(withoutSeparators(written)).toBe(wanted),
  );
});

test("an integer may be thousands as well", () => {
  expect(["1.000", "-12.000 ", "123.000"].filter(mayBeThousands)).toHaveLength(3);
  expect(["0.000", "1.00", "1.0000", "1000.000", "1.001", "1,000", ""].filter(mayBeThousands)).toEqual([]);
});

test("the words for yes and no", () =>
  expect(["true", "yes", "on", "1", "false", "no", "off", "0", "y"].map((word) => BOOLEANS.get(word))).toEqual([
    ...Array(4).fill(true),
    ...Array(4).fill(false),
    undefined,
  ]));
