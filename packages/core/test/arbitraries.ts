import fc from "fast-check";
import { type JsonSchema, protocols, type ToolDefinition } from "../src/index.js";
import { markersOf } from "../src/prompt/markers.js";

/** Text as models write it: words, code, and above all pieces of markup in the wrong place. */
export function hostileText(maxLength = 12): fc.Arbitrary<string> {
  const markers = Object.values(protocols).flatMap((protocol) => markersOf(protocol.syntax));
  const pieces = fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
    { weight: 3, arbitrary: fc.constantFrom(...markers) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(..."<>{}[]\"'\\`&;:,/=\n\t ".split(""), "```", "</", "\\n", "\\u00e9", "é", "😀"),
    },
    { weight: 1, arbitrary: fc.constantFrom(...markers).map((marker) => marker.slice(0, -1)) },
  );
  return fc.array(pieces, { maxLength }).map((list) => list.join(""));
}

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/).filter((key) => !["item", "proto"].includes(key));

type Shape = { schema: { [keyword: string]: unknown }; value: fc.Arbitrary<unknown> };

/** A schema together with the values that fit it. */
function shape(depth: number): fc.Arbitrary<Shape> {
  const text = fc.oneof(hostileText(6), fc.string({ unit: "grapheme", maxLength: 20 })).map(wellFormed);
  const leaves: fc.Arbitrary<Shape>[] = [
    fc.constant({ schema: { type: "string" }, value: text }),
    fc.constant({ schema: { type: "integer" }, value: fc.integer() }),
    fc.constant({
      schema: { type: "number" },
      value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
    }),
    fc.constant({ schema: { type: "boolean" }, value: fc.boolean() }),
    fc.constant({ schema: { type: ["string", "null"] }, value: fc.option(text) }),
    fc.constant({ schema: {}, value: fc.jsonValue({ maxDepth: 2 }).map(normal) }),
    fc
      .uniqueArray(name, { minLength: 1, maxLength: 4 })
      .map((values) => ({ schema: { enum: values }, value: fc.constantFrom(...values) })),
  ];
  if (depth === 0) return fc.oneof(...leaves);
  const list = shape(depth - 1).map(({ schema, value }) => ({
    schema: { type: "array", items: schema },
    value: fc.array(value, { maxLength: 3 }),
  }));
  return fc.oneof(
    { weight: 5, arbitrary: fc.oneof(...leaves) },
    { weight: 2, arbitrary: list },
    { weight: 2, arbitrary: object(depth - 1) },
  );
}

function object(depth: number): fc.Arbitrary<Shape> {
  return fc
    .uniqueArray(fc.tuple(name, shape(depth)), { maxLength: 4, selector: ([key]) => bare(key) })
    .map((entries) => ({
      schema: { type: "object", properties: Object.fromEntries(entries.map(([key, part]) => [key, part.schema])) },
      value: fc
        .record(Object.fromEntries(entries.map(([key, part]) => [key, part.value])), { requiredKeys: [] })
        .map((o) => ({ ...o })),
    }));
}

/** Excludes keys that differ only in their punctuation, because they are aliases of each other. */
const bare = (key: string) => key.replaceAll("_", "");

/** The text without lone surrogates, which are not text. */
const wellFormed = (text: string) =>
  text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

/** The value after a round trip through JSON: no -0. */
const normal = (value: unknown): unknown => JSON.parse(wellFormed(JSON.stringify(value)));

export interface Scenario {
  tools: ToolDefinition[];
  calls: { name: string; arguments: Record<string, unknown> }[];
}

/** Tools, and calls of them whose arguments fit. */
export const scenario: fc.Arbitrary<Scenario> = fc
  .uniqueArray(fc.tuple(name, object(2)), { minLength: 1, maxLength: 3, selector: ([key]) => bare(key) })
  .chain((named) => {
    const tools = named.map(([tool, { schema }]) => ({
      name: tool,
      description: "A tool.",
      parameters: schema as JsonSchema,
    }));
    const call = fc.oneof(
      ...named.map(([tool, { value }]) =>
        value.map((args) => ({ name: tool, arguments: args as Record<string, unknown> })),
      ),
    );
    return fc.record({ tools: fc.constant(tools), calls: fc.array(call, { minLength: 1, maxLength: 3 }) });
  });

/** A text cut into pieces of random length. */
export function chunked(text: string): fc.Arbitrary<string[]> {
  return fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 }).map((sizes) => {
    const chunks: string[] = [];
    for (let i = 0, n = 0; i < text.length; n++) {
      const size = sizes[n % sizes.length]!;
      chunks.push(text.slice(i, i + size));
      i += size;
    }
    return chunks;
  });
}

export const protocolNames = Object.keys(protocols) as (keyof typeof protocols)[];
