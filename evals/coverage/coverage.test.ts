import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { toolCases } from "./cases.mjs";
import { countOf, textOf } from "./count.mjs";
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

it("a value is written with its keys in the schema's order, at every depth", () => {
  const schema = { properties: { b: { items: { properties: { y: {}, x: {} } } }, a: {} } };
  expect(textOf({ z: 0, a: 1, b: [{ x: 1, y: 2 }] }, schema)).toBe('{"b":[{"y":2,"x":1}],"a":1,"z":0}');
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
