import { expect, it } from "vitest";
import { kindOfError } from "./errors.mjs";

const functions = [
  {
    name: "convert",
    parameters: {
      type: "dict",
      properties: { amount: { type: "integer" }, to: { type: "string" }, round: { type: "integer" } },
      required: ["amount", "to"],
    },
  },
];
const truth = [{ convert: { amount: [200], to: ["GBP"], round: ["", 2] } }];
const question = { category: "simple_python", functions, truth };
const convert = (args: object) => ({ name: "convert", arguments: args });
const good = { amount: 200, to: "GBP" };

it.each([
  [undefined, [convert(good)], false],
  ["no call", [], false],
  ["unread", [], true],
  ["wrong tool", [{ name: "add", arguments: {} }], false],
  ["too many calls", [convert(good), convert({ ...good, to: "USD" })], false],
  ["argument missing", [convert({ amount: 200 })], true],
  ["optional argument", [convert({ ...good, round: 7 })], false],
  ["wrong value", [convert({ amount: 200, to: "USD" })], false],
])("what is wrong: %s", (kind, calls, failed) => {
  expect(kindOfError(question, { calls, failed })).toBe(kind);
  const twice = { ...question, category: "parallel", truth: [...truth, { convert: { amount: [5], to: ["GBP"] } }] };
  if (calls.length === 1 && kind !== "wrong tool") expect(kindOfError(twice, { calls, failed })).toBe("too few calls");
});

it("is not asked where no list of calls is the answer", () => {
  expect(
    kindOfError({ category: "irrelevance", functions }, { calls: [convert(good)], failed: false }),
  ).toBeUndefined();
});
