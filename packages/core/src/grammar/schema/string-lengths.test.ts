import { describe, expect, it } from "vitest";
import { probe } from "../../../test/support/gbnf-probe.js";
import type { JsonSchema } from "../../types.js";

describe("the length of strings", () => {
  it("is bounded by an option, and so is nesting", async () => {
    await probe({}, ['"abc"', '["a"]', "[1]"], ['"abcd"', "[[1]]"], { maxStringLength: 3, maxDepth: 1 });
    await probe({ type: "string", minLength: 4 }, ['"abcd"'], ['"abcde"'], { maxStringLength: 3 });
  });

  it.each<[what: string, schema: JsonSchema, accepted: string[], rejected: string[], unenforced?: string[]]>([
    ["of a pattern", { type: "string", pattern: "^a+$" }, ['"aaa"'], ['"aaaa"']],
    ["of two repetitions", { type: "string", pattern: "^a+b*$" }, ['"aab"'], ['"aabb"']],
    [
      "except some",
      { type: "string", not: { enum: ["abc", "abd"] } },
      ['"abe"', '"ab"', '"x"'],
      ['"abc"', '"abcd"', '"abee"', '"wxyz"'],
    ],
    ["as keys", { type: "object", properties: { ab: {} } }, ['{"abc": 1}'], ['{"abcd": 1}', '{"wxyz": 1}']],
    ["as keys by pattern", { type: "object", propertyNames: { pattern: "^a*$" } }, ['{"aaa": 1}'], ['{"aaaa": 1}']],
  ])("is limited for strings %s, which is reported", async (_, schema, accepted, rejected) => {
    const { unenforced, narrowed } = await probe(schema, accepted, rejected, { maxStringLength: 3 });
    expect(unenforced).toEqual([]);
    expect(narrowed.map(({ keyword }) => keyword)).toContain("maxStringLength");
  });

  it("is reported if it differs from the option", async () => {
    const schema = { type: "string", pattern: "^a+b+c+$" };
    const { unenforced } = await probe(schema, ['"abc"', '"aaabbc"'], [], { maxStringLength: 4 });
    expect(unenforced).toEqual([{ path: "", keyword: "maxStringLength" }]);
    const day = await probe({ type: "string", format: "date" }, ['"2024-02-29"'], [], { maxStringLength: 4 });
    expect([day.unenforced, day.narrowed]).toEqual([[], []]);
  });
});
