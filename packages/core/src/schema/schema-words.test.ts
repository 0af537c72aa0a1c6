import { expect, it } from "vitest";
import { schemaWords } from "./schema-words.js";

const wordsOf = (schema: unknown) => schemaWords(schema).split(" ").sort();

it("has the names, titles, descriptions and choices of all depths, and nothing else", () => {
  const schema = {
    type: "object",
    title: "Trip",
    properties: {
      travelClass: { type: "string", enum: ["economy", "first", 3], default: "hidden" },
      legs: {
        type: "array",
        items: { anyOf: [{ properties: { to: { description: "destination" } } }, { const: "home" }] },
      },
    },
    required: ["legs"],
  };
  expect(wordsOf(schema)).toEqual(["Class", "Trip", "destination", "economy", "first", "home", "legs", "to", "travel"]);
});

it("has nothing of the data in a schema", () => {
  const data = { title: "no", description: "no", properties: { no: { enum: ["no"] } } };
  const schema = {
    default: data,
    examples: [data],
    enum: [data, "yes"],
    const: data,
    properties: { a: { const: data } },
  };
  expect(wordsOf(schema)).toEqual(["a", "yes"]);
  const named = { $defs: { default: { title: "yes" } }, properties: { enum: { description: "also" } } };
  expect(wordsOf(named)).toEqual(["also", "enum", "yes"]);
});

it("takes lists of any length", () => {
  const many = Array.from({ length: 150_000 }, (_, i) => `v${i}`);
  expect(wordsOf({ enum: many })).toHaveLength(150_000);
  expect(wordsOf({ anyOf: many.map((title) => ({ title })) })).toHaveLength(150_000);
  expect(wordsOf({ properties: Object.fromEntries(many.map((name) => [name, {}])) })).toHaveLength(150_000);
});

it("is empty for what is no schema, and takes any depth", () => {
  for (const schema of [undefined, null, true, "text", []]) expect(schemaWords(schema)).toBe("");
  let deep: object = { description: "bottom" };
  for (let i = 0; i < 100_000; i++) deep = { items: deep };
  expect(schemaWords(deep)).toBe("bottom");
});
