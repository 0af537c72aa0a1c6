import { describe, expect, it } from "vitest";
import { formatJsonSchemaForProvider, gemini, providers } from "./index.js";

const paths = ({ losses }: { losses: { path: string }[] }) => losses.map(({ path }) => path);
const text = { type: "string" };
const contact = { id: text, email: text };
const needsOne = [{ required: ["id"] }, { required: ["email"] }];
const either = [
  { type: "object", properties: { kind: { const: "a" }, x: text }, required: ["kind", "x"] },
  { type: "object", properties: { kind: { const: "b" }, y: text }, required: ["kind"] },
];
const joined = {
  type: "object",
  properties: { kind: { anyOf: [{ const: "a" }, { const: "b" }] }, x: text, y: text },
  required: ["kind"],
};

describe("branches that only restrict the keywords next to them, for Gemini", () => {
  const said: [string, object, object][] = [
    ["properties", { type: "object", properties: contact, anyOf: needsOne }, { type: "OBJECT" }],
    [
      "properties, with the type again",
      { type: "object", properties: contact, oneOf: needsOne.map((one) => ({ type: "object", ...one })) },
      { type: "OBJECT" },
    ],
    ["a text", { type: "string", anyOf: [{ pattern: "^a" }, { format: "email" }] }, { type: "STRING" }],
    ["a list", { type: "array", items: text, anyOf: [{ minItems: 1 }, { type: "array", maxItems: 3 }] }, {}],
    ["a text, by reference", { type: "string", anyOf: [{ $ref: "#/$defs/short" }] }, { type: "STRING" }],
  ];
  it.each(said)("are omitted and reported: %s", (_, a, written) => {
    const whole = { type: "object", properties: { a }, $defs: { short: { maxLength: 3 } } };
    const read = gemini.formatSchema(whole);
    expect(read.value.properties?.a).toMatchObject(written);
    expect(read.value.properties?.a).not.toHaveProperty("anyOf");
    expect(paths(read).filter((path) => path !== "/$defs")).toEqual([
      `/properties/a/${"oneOf" in a ? "oneOf" : "anyOf"}`,
    ]);
  });

  it("are kept if each is a schema by itself", () => {
    const a = { type: "string", anyOf: [{ type: "string", pattern: "^a" }, { const: "b" }] };
    expect(gemini.formatSchema({ properties: { a } }).value.properties?.a).toEqual({
      type: "STRING",
      anyOf: [
        { type: "STRING", pattern: "^a" },
        { type: "STRING", enum: ["b"] },
      ],
    });
    const b = { type: "object", anyOf: [{ oneOf: either }, either[0]] };
    expect(gemini.formatSchema({ properties: { b } }).value.properties?.b?.anyOf).toHaveLength(2);
  });
});

describe.each(["openai", "openai-functions", "openai-responses", "anthropic"] as const)(
  "parameters that are a choice as a whole, for %s",
  (name) => {
    const format = (schema: object) => formatJsonSchemaForProvider({ ...schema }, name);

    it("become one object that accepts what the branches accept", () => {
      const read = format({ oneOf: either });
      expect(read.value).toEqual(joined);
      expect(read.losses).toMatchObject([{ path: "/oneOf", instead: ["/properties", "/required"] }]);
      expect(JSON.stringify(providers[name].toTools([{ name: "a", parameters: { anyOf: either } }]).value)).toContain(
        JSON.stringify(joined.properties),
      );
    });

    it("keep the keywords next to the branches, which are more specific", () => {
      const kind = { type: "string", description: "Which" };
      const schema = { type: "object", properties: { kind }, required: ["kind"], title: "T", anyOf: either };
      expect(format(schema).value).toEqual({ ...joined, title: "T", properties: { kind, x: text, y: text } });
      const beside = { type: "object", properties: contact };
      expect(format({ ...beside, anyOf: needsOne })).toMatchObject({ value: beside, losses: [{ path: "/anyOf" }] });
    });

    it("are merged under `allOf`, and resolved if they are references", () => {
      const $defs = { a: either[0], u: { anyOf: either } };
      const read = format({ allOf: [{ $ref: "#/$defs/a" }, { properties: { n: text } }], $defs });
      expect(read.value).toMatchObject({ type: "object", properties: { x: text, n: text }, required: ["kind", "x"] });
      expect(format({ $ref: "#/$defs/u", $defs }).value).toEqual({ ...joined, $defs });
    });

    it("are finite if they refer to themselves, or if references double at every step", () => {
      expect(format({ anyOf: [{ $ref: "#" }, either[0]] }).value).toMatchObject({ properties: { x: text } });
      const step = (i: number) => ({ anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] });
      const $defs = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i}`, i < 39 ? step(i) : either[0]]));
      expect(format({ $ref: "#/$defs/d0", $defs }).value.required).toEqual(["kind", "x"]);
    });

    it("are an object, even if other values match too", () => {
      expect(format({ anyOf: [...either, text], not: {} }).value).toEqual(joined);
      expect(format({ ...joined, not: { required: ["y"] } })).toMatchObject({
        value: joined,
        losses: [{ path: "/not" }],
      });
      expect(format({ type: "object", properties: contact })).toMatchObject({ losses: [] });
    });
  },
);

it("a root that is not an object is reported for every provider", () => {
  for (const type of ["array", "string"]) {
    const read = formatJsonSchemaForProvider({ type }, "gemini");
    expect(read).toMatchObject({ value: { type: "OBJECT" }, losses: [{ path: "/type" }] });
  }
});
