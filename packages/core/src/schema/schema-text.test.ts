import { expect, it } from "vitest";
import { schemaText } from "./schema-text.js";

const wordsOf = (schema: unknown) => schemaText(schema).split(" ").sort();

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

it("is empty for what is no schema, and takes any depth", () => {
  for (const schema of [undefined, null, true, "text", []]) expect(schemaText(schema)).toBe("");
  let deep: object = { description: "bottom" };
  for (let i = 0; i < 100_000; i++) deep = { items: deep };
  expect(schemaText(deep)).toBe("bottom");
});
