// Ten times the schema, or the value, must take about ten times the time, whatever they are made of.
import { rounded, shortest } from "@toolingua/benchmark-timing";
import { normalizeTools, toolsAsSignatures, validateValue } from "@toolingua/core";
import { jsonSchemaToGbnf } from "@toolingua/core/grammar";
import { providers } from "@toolingua/core/providers";

const list = (count, of) => Array.from({ length: count }, (_, i) => of(i));
const keyed = (count, of) => Object.fromEntries(list(count, (i) => [`k${i}`, of(i)]));
const object = (properties, more = {}) => ({ type: "object", properties, ...more });

/** Schemas by size. The limits of core allow all of them ten times as large. */
const schemas = {
  properties: (n) => object(keyed(n, () => ({ type: "string" }))),
  required: (n) =>
    object(
      keyed(n, () => ({ type: "integer" })),
      { required: list(n, (i) => `k${i}`) },
    ),
  objects: (n) => object(keyed(n, (i) => object({ a: { enum: [`x${i}`, "y"] } }))),
  definitions: (n) =>
    object(
      keyed(n, (i) => ({ $ref: `#/$defs/k${i}` })),
      { $defs: keyed(n, () => ({ type: "string" })) },
    ),
  "long list": (n) => object({ a: { enum: list(n * 20, (i) => `value ${i}`) } }),
  "list of objects": (n) => object({ a: { enum: list(n * 20, (v) => ({ v })) } }),
  "unique list": (n) =>
    object({ a: { type: "array", uniqueItems: true, items: { enum: list(n * 20, (v) => ({ v })) } } }),
  alternatives: (n) => object({ a: { anyOf: list(n / 2, (i) => object({ k: { const: i } }, { required: ["k"] })) } }),
  patterns: (n) => object(keyed(n, (i) => ({ type: "string", pattern: `^a${i}[b-z]+$` }))),
};

/** Values by size, with what they are checked against. */
const values = {
  "^(a+)+$": (n) => [`${"a".repeat(n * 100)}!`, { pattern: "^(a+)+$" }],
  "(a*)*b": (n) => ["a".repeat(n * 100), { pattern: "(a*)*b" }],
  lookaheads: (n) => [`${"a".repeat(n * 100)}!`, { pattern: "^(?=(?:a+)+$)(?!.*b).*$" }],
  "unique objects": (n) => [list(n * 20, (i) => ({ i, tags: [String(i)] })), { uniqueItems: true }],
  "listed objects": (n) => [list(n * 20, (i) => ({ i })), { items: { enum: list(n * 20, (i) => ({ i })) } }],
  "unions in unions": (n) => [
    list(n, () => [[[[2]]]]),
    {
      anyOf: [{ items: { $ref: "#" } }, { items: { $ref: "#" }, maxItems: 9 }, { const: 1 }],
      type: ["array", "integer"],
    },
  ],
  keys: (n) => [
    keyed(n * 20, () => 1),
    { patternProperties: { "^(k\\d*)+$": { type: "integer" } }, additionalProperties: false },
  ],
};

export function measureHostile(quick) {
  const small = quick ? 20 : 200;
  const compareAll = (what, cases, most, run) => {
    const found = Object.entries(cases).map(([name, make]) => {
      // What is made before the clock starts: each time anew, for schemas are compiled once.
      const time = (size) => {
        let best = Number.POSITIVE_INFINITY;
        for (let round = 0; round < (quick ? 1 : 5); round++) {
          const made = make(size);
          best = Math.min(
            best,
            shortest(() => run(made), 1),
          );
        }
        return best;
      };
      // Below some milliseconds the clock and the collector decide.
      const [one, ten] = [Math.max(time(small), quick ? 5 : 2), time(small * 10)];
      return { name, ratio: ten / one, ten };
    });
    const worst = found.reduce((a, b) => (b.ratio > a.ratio ? b : a));
    const slowest = found.reduce((a, b) => (b.ten > a.ten ? b : a));
    const detail = `${worst.name}; slowest ${rounded(slowest.ten)} ms: ${slowest.name}`;
    return { what, value: rounded(worst.ratio), unit: "× the time", against: "a tenth of the size", most, detail };
  };
  const tool = (parameters) => [{ name: "tool", parameters }];
  return [
    compareAll("hostile values, validator", values, 12, ([value, schema]) => validateValue(value, schema)),
    compareAll("hostile schemas, definition", schemas, 12, (schema) => normalizeTools(tool(schema))),
    compareAll("hostile schemas, grammar", schemas, 12, (schema) => jsonSchemaToGbnf(schema)),
    compareAll("hostile schemas, signature", schemas, 12, (schema) => toolsAsSignatures(tool(schema))),
    compareAll("hostile schemas, Gemini", schemas, 12, (schema) => providers.gemini.toTools(tool(schema))),
  ];
}
