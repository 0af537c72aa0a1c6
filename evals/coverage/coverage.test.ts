import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { toolCases } from "./cases.mjs";
import { countOf, textsOf, verdictsOf } from "./count.mjs";
import { grammarBytes, ORDERS, orderCase } from "./orders.mjs";
import { tables } from "./tables.mjs";

const parameters = {
  type: "object",
  properties: { unit: { type: "string", enum: ["km", "m"] }, value: { type: "integer" } },
  required: ["value"],
};
const question = {
  tools: [{ name: "convert", description: "", parameters }],
  truth: [{ convert: { value: [5], unit: ["km", ""] } }],
};

it("a tool's right call is valid, and its changed copies are what Ajv says", () => {
  const [found, ...others] = toolCases([question, question]);
  expect(others).toEqual([]);
  const verdict = (data: unknown) =>
    found?.tests.find((one: { data: unknown }) => JSON.stringify(one.data) === JSON.stringify(data))?.valid;
  expect(verdict({ value: 5 })).toBe(true);
  expect([{}, { value: "no such value" }, { value: 5.5 }, { value: null }].map(verdict)).toEqual(Array(4).fill(false));
});

it("a value is written with its keys in the schema's order, and with the required ones first, at every depth", () => {
  const items = { properties: { y: {}, x: {} }, required: ["x"] };
  const schema = { properties: { b: { items }, a: {} } };
  expect(textsOf({ z: 0, a: 1, b: [{ x: 1, y: 2 }] }, schema)).toEqual([
    '{"b":[{"y":2,"x":1}],"a":1,"z":0}',
    '{"b":[{"x":1,"y":2}],"a":1,"z":0}',
  ]);
  expect(textsOf({ a: 1 }, schema)).toEqual(['{"a":1}']);
});

it("a grammar accepts a value that it accepts in one of its orders", () => {
  const schema = { properties: { a: {}, b: {} }, required: ["b"] };
  const tests = [{ data: { a: 1, b: 2 } }, { data: { a: 1 } }, { data: { a: 2, b: 1 } }];
  const found = verdictsOf({ schema, tests }, { us: 1, verdicts: [false, true, false, false, false] });
  expect(found.verdicts).toEqual([true, false, false]);
});

it("orders of keys are different ones of the same value, the schema's own first", () => {
  const { schema, texts } = orderCase(6);
  expect(new Set(texts).size).toBe(ORDERS);
  expect(texts[0]).toBe(JSON.stringify(Object.fromEntries(schema.required.map((key: string) => [key, 1]))));
  const sorted = (text: string) => Object.keys(JSON.parse(text)).sort();
  for (const text of texts) expect(sorted(text)).toEqual(schema.required);
});

it("a grammar of more than four keys has one order by itself, and every order within 110 KB if asked", () => {
  for (const size of [5, 8, 10]) expect(grammarBytes(size, false)).toBeLessThan(1_000);
  expect(grammarBytes(10, true)).toBeLessThan(110_000);
});

it("wrong verdicts count against a schema, unless the compiler said so", () => {
  const tests = [
    { data: 1, valid: true },
    { data: "x", valid: false },
  ];
  const cases = Array(4).fill({ tests });
  const verdicts = [
    { us: 1, verdicts: [true, false] },
    { us: 3, verdicts: [true, true], said: { loose: true } },
    { us: 5, verdicts: [false, false], said: { loose: true } },
    { error: "refused" },
  ];
  expect(countOf("one", cases, verdicts)).toEqual({
    ...{ compiler: "one", schemas: 4, compiled: 3, exact: 1, tests: 6 },
    ...{ wrongAccepts: 1, wrongRejects: 1, unsaid: 1, microseconds: 3 },
  });
});

it("the README's tables are those of the committed results, of a commit", () => {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
  const results = JSON.parse(read("results.json"));
  expect(results.commit).not.toContain("dirty");
  for (const block of tables(results)) expect(read("README.md")).toContain(block);
});
