import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReplyParser, getProtocol, type JsonSchema, parseReply } from "../src/index.js";
import { chunked, protocolNames } from "./arbitraries.js";

const object = (properties: Record<string, JsonSchema>, more = {}) => ({ type: "object", properties, ...more });
const integer = { type: "integer" } as const;
const text = { type: "string" } as const;
const either = [object({ a: integer, k: text }), object({ z: text })];
const closed = { required: ["k"], additionalProperties: false };
const byKind = [
  object({ k: { const: "x" }, a: integer }, closed),
  object({ k: { const: "y" }, b: { anyOf: either } }, closed),
];

/** Parameters that are a choice as a whole, each with arguments that fit. */
const unions: Record<string, [parameters: JsonSchema, ...calls: Record<string, unknown>[]]> = {
  anyOf: [{ anyOf: either }, { a: 1, k: "x" }, { k: "some words" }, { z: "z" }],
  "anyOf with a type": [{ type: "object", anyOf: either }, { a: 1, k: "x" }, { a: 1 }, {}],
  oneOf: [{ type: "object", oneOf: byKind }, { k: "x", a: 1 }, { k: "y", b: { z: "w" } }, { k: "y" }],
  "properties beside oneOf": [
    object({ k: text, a: integer }, { oneOf: [object({ k: { const: "x" } }), object({ k: { const: "y" } })] }),
    { k: "x", a: 1 },
    { a: 2, k: "y" },
  ],
  allOf: [{ allOf: [{ anyOf: either }, object({ n: { type: "boolean" } })] }, { n: true, a: 1 }, { z: "w", n: false }],
  "a union within": [
    object({ u: { anyOf: either }, list: { type: "array", items: { oneOf: byKind } } }),
    { u: { a: 1, k: "x" }, list: [{ k: "x", a: 2 }, { k: "y" }] },
  ],
};

test("parameters with doubling references cost no more than their parts", () => {
  const depth = 30;
  const $defs: Record<string, JsonSchema> = { [`n${depth}`]: object({ a: integer }, { required: ["a"] }) };
  for (let i = 0; i < depth; i++) {
    const next = Array.from({ length: 8 }, () => ({ $ref: `#/$defs/n${i + 1}` }));
    $defs[`n${i}`] = { allOf: next };
  }
  const tools = [{ name: "choose", parameters: { $ref: "#/$defs/n0", $defs } }];
  const written = '<tool_call>{"name": "choose", "arguments": {"a": "1"}}</tool_call>';
  expect(parseReply(written, { tools, protocol: "hermes" }).toolCalls[0]?.arguments).toEqual({ a: 1 });
});

describe.each(protocolNames)("%s, if the parameters are a union", (protocol) => {
  test.each(Object.entries(unions))(
    "%s: a rendered call is read back, whole and streamed",
    (_, [parameters, ...all]) => {
      const tools = [{ name: "choose", parameters }];
      for (const args of all) {
        const written = getProtocol(protocol).renderCalls([{ name: "choose", arguments: args }], { tools });
        const { toolCalls, invalidToolCalls } = parseReply(written, { tools, protocol });
        expect([invalidToolCalls, toolCalls.map((call) => call.arguments)]).toEqual([[], [args]]);
        fc.assert(
          fc.property(chunked(written), (chunks) => {
            const parser = createReplyParser({ tools, protocol });
            const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
            const deltas = events.map((event) => (event.type === "call-delta" ? event.argumentsDelta : "")).join("");
            expect(JSON.parse(deltas)).toEqual(args);
            expect(events.flatMap((event) => (event.type === "call-end" ? [event.call.arguments] : []))).toEqual([
              args,
            ]);
          }),
          { numRuns: 20 },
        );
      }
    },
  );
});
