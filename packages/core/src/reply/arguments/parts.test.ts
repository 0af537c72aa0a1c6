import { describe, expect, test } from "vitest";
import { planFor } from "../../schema/plan.js";
import type { JsonSchema } from "../../types.js";
import { isContents, isOther, itemsIn } from "./parts.js";

const planOf = (schema: JsonSchema) => planFor({ type: "object", properties: { x: schema } }).properties.get("x")!;

describe("an item of a list is something else than its schema asks for", () => {
  const text = planOf({ type: "string" });
  const maybe = planOf({ type: ["string", "null"] });
  const lists = planOf({ type: "array", items: { type: "integer" } });

  test.each<[string, unknown, ReturnType<typeof planOf>, boolean]>([
    ["an object in a list of texts", { a: 1 }, text, true],
    ["a list in a list of texts or null", [1], maybe, true],
    ["a text in a list of texts", "a", text, false],
    ["an object where other types are allowed", { a: 1 }, planOf({ type: ["string", "integer"] }), false],
    ["an object where any value is allowed", { a: 1 }, planOf({}), false],
    ["a number in a list of lists", 1, lists, true],
    ["a word in a list of lists", "a", lists, true],
    ["null in a list of lists", null, lists, false],
    ["a list in a list of lists", [1], lists, false],
    ["the JSON of a list in a list of lists", " [1]", lists, false],
    ["the items of a list in a list of lists", "1, 2", lists, false],
  ])("%s", (_, item, plan, wanted) => expect(isOther(item, plan)).toBe(wanted));
});

describe("JSON may be the contents of a text", () => {
  test.each<[string, object, boolean]>([
    ["an object", { a: 1 }, true],
    ["an empty object", {}, true],
    ["a list of objects", [{ a: 1 }, [2]], true],
    ["a list of other values, which may be several texts", [{ a: 1 }, "b"], false],
    ["an empty list", [], false],
    ["an object that holds the text under its argument's name", { x: "a" }, false],
    ["an object that holds the text as its only value", { value: "a" }, false],
    ["an object with another value", { value: 1 }, true],
    ["an object that has the argument's name and another key", { x: "a", y: 1 }, true],
    ["the schema of the text", { type: "string", enum: [] }, false],
    ["an object of another type", { type: "circle" }, true],
    ["an object with a type that is no word", { type: 1 }, true],
  ])("%s", (_, value, wanted) => expect(isContents(value, "/more/x")).toBe(wanted));
});

describe("a list that is written as an object", () => {
  const number = planOf({ type: "number" });
  const named = planOf({ type: "object", required: ["name"] });

  test.each<[string, unknown, ReturnType<typeof planOf>, unknown[] | undefined]>([
    ["has its items under the numbers from 0 on", { 0: "a", 1: "b" }, number, ["a", "b"]],
    ["has them in a list under a key that says nothing", { values: [1, 2] }, number, [1, 2]],
    ["has them in a list under the argument's name", { x: [1] }, number, [1]],
    ["has them where an item lacks what is required", { items: [{ name: "a" }] }, named, [{ name: "a" }]],
    ["is none under other numbers", { 1: "a", 2: "b" }, number, undefined],
    ["is none without a list", { values: 1 }, number, undefined],
    ["is none under another key", { points: [1] }, number, undefined],
    ["is none beside another key", { values: [1], unit: "m" }, number, undefined],
    ["is none without keys", {}, number, undefined],
    ["is none where the object may be an item", { name: "a", items: [1] }, named, undefined],
    ["is none where items may be any values", { values: [1] }, planOf({}), undefined],
    ["is none as another value", [1], number, undefined],
  ])("%s", (_, value, item, wanted) => expect(itemsIn(value, item, "/more/x")).toEqual(wanted));
});
