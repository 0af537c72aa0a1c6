import { describe, expect, it } from "vitest";
import { probe } from "../../../test/support/gbnf-probe.js";
import { jsonSchemaToGbnf, toolCallGrammar } from "../index.js";

describe("the option maxItems", () => {
  it("bounds arrays that have no bound in the schema", async () => {
    const integers = { type: "array", items: { type: "integer" } };
    await probe(integers, ["[]", "[1]", "[1, 2]"], ["[1, 2, 3]"], { maxItems: 2 });
    await probe({ ...integers, maxItems: 3 }, ["[1, 2, 3]"], ["[1, 2, 3, 4]"], { maxItems: 2 });
    await probe({ ...integers, minItems: 3 }, ["[1, 2, 3]"], ["[1, 2]", "[1, 2, 3, 4]"], { maxItems: 2 });
    await probe({ ...integers, maxItems: 5000 }, ["[1, 2]"], ["[1, 2, 3]"], { maxItems: 2 });
    const tuple = { type: "array", prefixItems: [{ const: 1 }, { const: 2 }, { const: 3 }] };
    await probe(tuple, ["[1, 2, 3]", "[1]"], ["[1, 2, 3, 4]"], { maxItems: 2 });
    await probe({}, ["[1, [2, 3]]"], ["[1, [1, 2, 3]]"], { maxItems: 2 });
    await probe({ type: "array", items: integers }, ["[[1, 2], [3]]"], ["[[1, 2, 3]]", "[[], [], []]"], {
      maxItems: 2,
    });
    await probe({ type: "array", items: { enum: [1, 2, 3] }, uniqueItems: true }, ["[1, 2, 3]"], [], { maxItems: 2 });
  });

  it("is reported for arrays that it bounds and the schema does not", () => {
    const list = { type: "array", items: { type: "integer" } };
    const properties = {
      a: list,
      b: { ...list, maxItems: 3 },
      c: { ...list, prefixItems: [{ type: "null" }], items: false },
      d: {},
    };
    const { narrowed } = jsonSchemaToGbnf({ type: "object", properties, additionalProperties: false }, { maxItems: 4 });
    expect(narrowed.map(({ path, keyword }) => `${path} ${keyword}`)).toEqual([
      "/properties/a maxItems",
      "/properties/d maxItems",
    ]);
  });

  it("applies to the arguments of calls, in JSON and in elements", () => {
    const parameters = { type: "object", properties: { list: { type: "array", items: { type: "integer" } } } };
    const tools = [{ name: "sum", parameters }];
    for (const protocol of ["hermes", "pythonic", "qwen3-coder", "am-xml"] as const) {
      const { narrowed } = toolCallGrammar({ tools, protocol, toolChoice: "required", maxItems: 4 });
      expect(narrowed).toContainEqual({ tool: "sum", path: "/properties/list", keyword: "maxItems" });
    }
  });
});
