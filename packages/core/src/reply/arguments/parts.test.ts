import { describe, expect, test } from "vitest";
import { planFor } from "../../schema/plan.js";
import type { JsonSchema } from "../../types.js";
import { isContents, isOther } from "./parts.js";

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
    ["an object that has the argument's name and another key", { x: "a", y: 1 }, true],
    ["the schema of the text", { type: "string", enum: [] }, false],
    ["an object of another type", { type: "circle" }, true],
    ["an object with a type that is no word", { type: 1 }, true],
  ])("%s", (_, value, wanted) => expect(isContents(value, "/more/x")).toBe(wanted));
});
