import { expect, it } from "vitest";
import { mapSchemas } from "../adapters/index.js";

it("changes every schema, but no data and no property named like a keyword", () => {
  const titled = (more: object) => ({ title: "x", ...more });
  const schema = titled({
    type: "object",
    properties: { title: titled({ type: "string", default: { title: "kept" } }), list: { items: titled({}) } },
    additionalProperties: titled({ enum: [{ title: "kept" }] }),
    anyOf: [titled({}), true],
    $defs: { default: titled({ type: "number" }) },
  });
  expect(mapSchemas(schema, ({ title: _, ...rest }) => rest)).toEqual({
    type: "object",
    properties: { title: { type: "string", default: { title: "kept" } }, list: { items: {} } },
    additionalProperties: { enum: [{ title: "kept" }] },
    anyOf: [{}, true],
    $defs: { default: { type: "number" } },
  });
  expect(mapSchemas(true, () => ({}))).toBe(true);
});
