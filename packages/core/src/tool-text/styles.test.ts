import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../types.js";
import { toolsAsLines } from "./compact.js";
import { toolsAsElements } from "./elements.js";
import { toolsAsJson } from "./json.js";
import { toolsAsSignatures } from "./signature.js";
import { typescriptOf } from "./typescript.js";

const weather: ToolDefinition = {
  name: "get_weather",
  description: "The weather of a place",
  parameters: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      city: { type: "string", description: "City,\nwith its country" },
      unit: { type: "string", enum: ["C", "F"], default: "C" },
      days: { type: "integer", minimum: 1, maximum: 7 },
      place: {
        type: "object",
        properties: { lat: { type: "number" }, lon: { type: "number" } },
        required: ["lat", "lon"],
      },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["city"],
    additionalProperties: false,
  },
};
const signatureOf = (parameters: ToolDefinition["parameters"]) =>
  toolsAsSignatures([{ name: "f", ...(parameters === undefined ? {} : { parameters }) }]);
const typeOf = (schema: object, more: object = {}) =>
  signatureOf({ type: "object", properties: { x: schema }, required: ["x"], ...more }).slice(
    "f(args: { x: ".length,
    -" })".length,
  );

describe("toolsAsJson", () => {
  it("writes one compact line per tool, without the schema's `$schema`", () => {
    const lines = toolsAsJson([weather, { name: "now" }]).split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).not.toContain("$schema");
    expect(JSON.parse(lines[0]!)).toMatchObject({ name: "get_weather", parameters: { required: ["city"] } });
    expect(lines[1]).toBe('{"name":"now"}');
  });
});

describe("toolsAsSignatures", () => {
  it("shows the formats of choices", () => {
    const from = {
      anyOf: [{ type: "string", format: "date" }, { type: "string", format: "date-time" }, { type: "null" }],
    };
    expect(signatureOf({ type: "object", properties: { from } })).toContain(
      "from?: string | null, // format date or date-time",
    );
  });

  it("shows types, optional parameters, and other constraints as comments", () => {
    expect(toolsAsSignatures([weather])).toBe(
      [
        "// The weather of a place",
        "get_weather(args: {",
        "  city: string, // City, with its country",
        '  unit?: "C" | "F", // default "C"',
        "  days?: integer, // 1 to 7",
        "  place?: { lat: number, lon: number },",
        "  tags?: string[],",
        "})",
      ].join("\n"),
    );
  });

  it("takes about half the length of JSON", () => {
    expect(toolsAsSignatures([weather]).length).toBeLessThan(toolsAsJson([weather]).length * 0.6);
  });

  it("writes tools without arguments", () => {
    expect(signatureOf(undefined)).toBe("f(args: {})");
    expect(signatureOf({ type: "object", properties: {}, additionalProperties: false })).toBe("f(args: {})");
  });

  it("writes unions, intersections, tuples, maps and literals", () => {
    expect(typeOf({ type: ["string", "null"] })).toBe("string | null");
    expect(typeOf({ type: "array", items: { type: ["string", "null"] } })).toBe("(string | null)[]");
    expect(typeOf({ anyOf: [{ type: "string" }, { type: "object", properties: { a: {} } }] })).toBe(
      "string | { a?: any }",
    );
    expect(
      typeOf(
        { allOf: [{ $ref: "#/$defs/A" }, { type: "object", properties: { b: { const: 1 } } }] },
        { $defs: { A: { enum: ["x", 2] } } },
      ),
    ).toBe('("x" | 2) & { b?: 1 }');
    expect(typeOf({ type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false })).toBe(
      "[string, number]",
    );
    expect(typeOf({ type: "object", additionalProperties: { type: "integer" } })).toBe("{ [key: string]: integer }");
    expect(typeOf({ type: "string", nullable: true })).toBe("string | null");
    expect(typeOf({ type: "array", items: { enum: ["a | b"] } })).toBe('"a | b"[]');
    expect(typeOf(true as never)).toBe("any");
  });

  it("writes the types of other languages and APIs as TypeScript types", () => {
    expect(typeOf({ type: "OBJECT", properties: { a: { type: "STRING" } } })).toBe("{ a?: string }");
    expect(typeOf({ type: "list", items: { type: "float" } })).toBe("number[]");
    expect(typeOf({ type: "int", nullable: true, enum: [1, 2] })).toBe("1 | 2 | null");
  });

  it("resolves references of any kind within the schema", () => {
    const $defs = { "a b": { type: "integer" }, c: { $anchor: "c", anyOf: [{ type: "boolean" }, { type: "null" }] } };
    for (const $ref of ["#/$defs/a%20b", "#/$defs/a b"]) expect(typeOf({ $ref }, { $defs })).toBe("integer");
    expect(typeOf({ $ref: "#c" }, { $defs })).toBe("boolean | null");
    expect(typeOf({ $ref: "#/$defs/c/anyOf/0" }, { $defs })).toBe("boolean");
    expect(typeOf({ $ref: "other.json#/$defs/Thing" }, { $defs })).toBe("any");
  });

  it("defines a type that contains itself below the tool, once", () => {
    expect(
      signatureOf({ type: "object", properties: { a: nodeRef, b: { items: nodeRef } }, $defs: { Node: node } }),
    ).toBe(
      [
        "f(args: { a?: Node, b?: Node[] })",
        "type Node = {",
        "  value: integer, // Its value",
        "  next?: Node,",
        "} // A node",
      ].join("\n"),
    );
    expect(signatureOf({ type: "object", properties: { children: { type: "array", items: { $ref: "#" } } } })).toBe(
      "f(args: Args)\ntype Args = { children?: Args[] }",
    );
    const A = { type: "object", properties: { b: { $ref: "#/$defs/B" } } };
    const B = { type: "object", properties: { a: { $ref: "#/$defs/A" } } };
    expect(signatureOf({ type: "object", properties: { a: { $ref: "#/$defs/A" } }, $defs: { A, B } })).toBe(
      "f(args: { a?: A })\ntype A = { b?: { a?: A } }",
    );
  });

  it("distinguishes two types whose references end alike", () => {
    const other = { type: "object", properties: { other: { $ref: "#/definitions/Node" } } };
    expect(
      signatureOf({
        type: "object",
        properties: { a: { $ref: "#/$defs/a b" }, b: { $ref: "#/definitions/Node" }, c: nodeRef },
        $defs: { "a b": { anyOf: [{ type: "null" }, { items: { $ref: "#/$defs/a b" } }] }, Node: node },
        definitions: { Node: other },
      }).split("\n"),
    ).toEqual(expect.arrayContaining(["f(args: { a?: a_b, b?: Node, c?: Node2 })", "type Node = { other?: Node }"]));
  });

  it("writes `any` for a reference that leads nowhere", () => {
    expect(typeOf({ $ref: "#/$defs/Missing" })).toBe("any");
  });
});

const node = {
  type: "object",
  description: "A node",
  properties: { value: { type: "integer", description: "Its value" }, next: { $ref: "#/$defs/Node" } },
  required: ["value"],
};
const nodeRef = { $ref: "#/$defs/Node" };

/** Documents of which any part can refer to any other, or to the whole. */
const recursive = (() => {
  const ref = fc.constantFrom("#", "#/$defs/N0", "#/$defs/N1", "#/$defs/N2").map(($ref) => ({ $ref }));
  const { part } = fc.letrec<{ part: object; object: object }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 3 },
      fc.constant({ type: "string" }),
      ref,
      tie("object"),
      ref.map((items) => ({ type: "array", items })),
      fc.array(ref, { minLength: 1, maxLength: 2 }).map((anyOf) => ({ anyOf: [...anyOf, { type: "null" }] })),
    ),
    object: fc
      .dictionary(fc.constantFrom("a", "b", "c"), tie("part"), { noNullPrototype: true })
      .map((properties) => ({ type: "object", properties })),
  }));
  return fc
    .record({ $defs: fc.record({ N0: part, N1: part, N2: part }), root: part })
    .map(({ $defs, root }): Record<string, unknown> => ({ ...root, $defs }));
})();

it("every style defines exactly the types that it names", () => {
  fc.assert(
    fc.property(recursive, (parameters) => {
      const tool = { name: "f", parameters };
      for (const text of [toolsAsSignatures([tool]), toolsAsLines([tool]), typescriptOf(tool)]) {
        const defined = [...text.matchAll(/^ *type (N\d|Args)\d? = /gm)].map(([, name]) => name);
        const named = text.replace(/^ *type (?:N\d|Args)\d? = /gm, "").match(/\b(?:N\d|Args)\d?\b/g) ?? [];
        expect(new Set(defined).size).toBe(defined.length);
        expect(new Set(defined)).toEqual(new Set(named));
      }
    }),
  );
});

const linesOf = (properties: object, more: object = {}) =>
  toolsAsLines([{ name: "f", parameters: { type: "object", properties, ...more } }])
    .split("\n")
    .slice(2);

describe("toolsAsLines", () => {
  it("writes one line per argument, with properties of objects below it", () => {
    expect(toolsAsLines([weather, { name: "now", description: "The time." }])).toBe(
      [
        "?: optional; no type: string",
        "get_weather: The weather of a place",
        " city: City, with its country",
        " unit? C|F =C",
        " days? int 1-7",
        " place? {}",
        "  lat num",
        "  lon num",
        " tags? string[]",
        "now: The time",
      ].join("\n"),
    );
  });

  it("writes the constraints of a value", () => {
    expect(
      linesOf({
        a: { type: "string", format: "date", default: "two words" },
        b: { type: "string", pattern: "^x$", maxLength: 3 },
        c: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 9, multipleOf: 0.5 },
        d: { type: "integer", minimum: -5, maximum: -1 },
        e: { type: "array", items: { type: "integer", minimum: 0 }, minItems: 1, maxItems: 3, uniqueItems: true },
        g: { type: "array", items: { type: "object", properties: { x: { type: "boolean" } }, required: ["x"] } },
        h: { type: "integer", minimum: 0, exclusiveMinimum: true },
      }),
    ).toEqual([
      ' a? date ="two words"',
      " b? /^x$/ <=3 chars",
      " c? num >0 <9 step 0.5",
      " d? int -5 to -1",
      " e? (int >=0)[] 1-3 items unique",
      " g? {}[]",
      "  x bool",
      " h? int >=0",
    ]);
  });

  it("shows complex types as type expressions, and unusual names in quotation marks", () => {
    expect(
      linesOf(
        {
          "a b": { enum: ["one word", 2] },
          c: { anyOf: [{ type: "string" }, { $ref: "#/$defs/A" }] },
          d: { type: ["integer", "null"] },
          e: {},
          g: { type: "object", additionalProperties: { type: "string" } },
          h: { type: "array" },
        },
        { $defs: { A: { type: "integer" } } },
      ),
    ).toEqual([
      ' "a b"? "one word" | 2',
      " c? string | integer",
      " d? integer | null",
      " e? any",
      " g? { [key: string]: string }",
      " h? any[]",
    ]);
  });

  it("omits only descriptions that repeat the name", () => {
    const parameters = {
      type: "object",
      properties: {
        base: { type: "integer", description: "The base of the triangle." },
        userId: { type: "string", description: "the user's id" },
        unit: { type: "string", description: "The unit of measure" },
        height: { type: "integer", description: "三角形的高" },
      },
    };
    const shown = toolsAsLines([{ name: "triangle_area", description: "Area of triangles, for a user", parameters }]);
    expect(shown.split("\n").slice(2)).toEqual([
      " base? int",
      " userId?",
      " unit?: The unit of measure",
      " height? int: 三角形的高",
    ]);
  });

  it("shows a tool whose parameters are not a plain object as a signature", () => {
    const parameters = { anyOf: [{ type: "object", properties: { a: { type: "string" } } }] };
    expect(toolsAsLines([{ name: "f", parameters }])).toBe("?: optional; no type: string\nf(args: { a?: string })");
  });

  it("lists the arguments of a reference, and defines a type that contains itself", () => {
    const flat = {
      $ref: "#/$defs/A",
      $defs: { A: { $ref: "#/$defs/B" }, B: { properties: { a: { type: "integer" } } } },
    };
    expect(toolsAsLines([{ name: "f", parameters: flat }])).toBe("?: optional; no type: string\nf\n a? int");
    expect(
      toolsAsLines([{ name: "f", parameters: { ...nodeRef, $defs: { Node: node } } }])
        .split("\n")
        .slice(1),
    ).toEqual([
      "f",
      " value int",
      " next? Node",
      " type Node = {",
      "   value: integer, // Its value",
      "   next?: Node,",
      " } // A node",
    ]);
  });

  it("names every argument on its own line, for any schema", () => {
    const key = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue(), { noNullPrototype: true }), (properties) => {
        const lines = linesOf(properties);
        for (const name of Object.keys(properties)) {
          expect(
            lines.some((line) => line.startsWith(` ${name}?`) || line.startsWith(` ${JSON.stringify(name)}?`)),
          ).toBe(true);
        }
      }),
    );
  });
});

describe("toolsAsElements", () => {
  it("nests enums, objects and arrays", () => {
    expect(toolsAsElements([weather])).toBe(
      [
        '<am:tool name="get_weather" description="The weather of a place">',
        '<parameter name="city" type="string" description="City,&#10;with its country" required="true"/>',
        '<parameter name="unit" type="string" default="C">',
        "<enum>C</enum>",
        "<enum>F</enum>",
        "</parameter>",
        '<parameter name="days" type="integer" minimum="1" maximum="7"/>',
        '<parameter name="place" type="object">',
        '<parameter name="lat" type="number" required="true"/>',
        '<parameter name="lon" type="number" required="true"/>',
        "</parameter>",
        '<parameter name="tags" type="array">',
        '<items type="string"/>',
        "</parameter>",
        "</am:tool>",
      ].join("\n"),
    );
  });

  it("shows other schemas as JSON Schema, with the definitions they need", () => {
    const $defs = { A: { type: "string" } };
    const shown = toolsAsElements([
      {
        name: "f",
        parameters: { type: "object", properties: { x: { anyOf: [{ $ref: "#/$defs/A" }, { const: "<&" }] } }, $defs },
      },
    ]);
    expect(shown).toContain(
      '<parameter name="x">\n<schema>{"anyOf":[{"$ref":"#/$defs/A"},{"const":"&lt;&amp;"}],"$defs"',
    );
  });

  it("escapes attributes", () => {
    expect(toolsAsElements([{ name: "f", description: 'say "a < b" & go' }])).toBe(
      '<am:tool name="f" description="say &quot;a &lt; b&quot; &amp; go"></am:tool>',
    );
  });
});
