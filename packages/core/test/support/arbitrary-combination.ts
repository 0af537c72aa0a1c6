import fc from "fast-check";
import type { JsonSchema } from "../../src/types.js";

/** A schema made of any keywords, with values that have something to do with it: some fit, most do not. */
export interface Combination {
  schema: JsonSchema;
  values: unknown[];
}

type Node = Record<string, unknown>;

// Few values and keys, so that keywords meet.
const keys = ["a", "b", "ab", "x1"];
const words = [
  "",
  "a",
  "b",
  "ab",
  "aab",
  "abb",
  "ba",
  "A1",
  "a b",
  "é",
  "😀",
  "<a>",
  "&lt;",
  '"',
  "2024-02-29",
  "1.2.3.4",
];
const numbers = [-10, -2, -1, -0.5, 0, 0.1, 0.25, 0.5, 1, 1.5, 2, 3, 4, 7, 10, 12, 100];
const patterns = ["^a", "b$", "^a*b?$", "^[ab]{1,2}$", "a", "^(?:a|ab)+$", "^\\w*$", "^.$", "^(?=a)", "[^a]"];

const word = fc.constantFrom(...words);
const number = fc.constantFrom(...numbers);
const small = fc.nat({ max: 3 });
const scalar = fc.oneof(word, number, fc.boolean(), fc.constant(null));

/** Any value of a few kinds. */
const anyValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthIdentifier: "value", withCrossShrink: true },
    { weight: 3, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(tie("value"), { maxLength: 3 }) },
    {
      weight: 2,
      arbitrary: fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 3, noNullPrototype: true }),
    },
  ),
})).value;

const someOf = (list: readonly string[]) => fc.subarray([...list], { minLength: 1 });

/** One or several keywords of one kind; `node` for those that contain schemas. */
const kinds = (node: fc.Arbitrary<JsonSchema>): Record<string, fc.Arbitrary<Node>> => {
  const one = (keyword: string, value: fc.Arbitrary<unknown>) => value.map((made) => ({ [keyword]: made }));
  const nodes = fc.array(node, { minLength: 1, maxLength: 3 });
  const map = (names: readonly string[]) =>
    fc.dictionary(fc.constantFrom(...names), node, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
  const either = (options: Record<string, fc.Arbitrary<unknown>>) =>
    fc.oneof(...Object.entries(options).map(([keyword, value]) => one(keyword, value)));
  return {
    type: fc.oneof(
      one("type", fc.constantFrom("string", "number", "integer", "boolean", "null", "array", "object")),
      one("type", someOf(["string", "number", "null", "array", "object"])),
    ),
    listed: fc.oneof(
      one("const", anyValue),
      one("enum", fc.uniqueArray(anyValue, { minLength: 1, maxLength: 4, selector: (value) => JSON.stringify(value) })),
    ),
    string: either({
      minLength: small,
      maxLength: small,
      pattern: fc.constantFrom(...patterns),
      format: fc.constantFrom("date", "ipv4"),
    }),
    number: either({
      minimum: number,
      maximum: number,
      exclusiveMinimum: number,
      exclusiveMaximum: number,
      multipleOf: fc.constantFrom(1, 2, 3, 0.5, 0.1),
    }),
    array: either({
      items: node,
      prefixItems: nodes,
      contains: node.filter((part) => part !== true),
      minContains: small,
      maxContains: small,
      minItems: small,
      maxItems: small,
      uniqueItems: fc.constant(true),
      unevaluatedItems: node,
    }),
    object: either({
      properties: map(keys),
      required: someOf(keys),
      additionalProperties: node,
      patternProperties: map(["^a", "^x", "b$", "^[ab]$"]),
      propertyNames: node,
      minProperties: small,
      maxProperties: small,
      dependentRequired: fc.dictionary(fc.constantFrom(...keys), someOf(keys), {
        minKeys: 1,
        maxKeys: 2,
        noNullPrototype: true,
      }),
      dependentSchemas: map(keys),
      unevaluatedProperties: node,
    }),
    applicator: fc.oneof(
      either({ allOf: nodes, anyOf: nodes, oneOf: nodes, not: node, if: node }),
      one("$ref", fc.constantFrom("#/$defs/d", "#/$defs/e")),
      fc
        .tuple(node, node, node)
        .map((parts) => Object.fromEntries(["if", "then", "else"].map((keyword, i) => [keyword, parts[i]]))),
    ),
  };
};

const schema: fc.Arbitrary<JsonSchema> = fc.letrec<{ node: JsonSchema }>((tie) => {
  const of = kinds(tie("node"));
  const about = (theme: string): fc.Arbitrary<JsonSchema> =>
    fc
      .tuple(
        fc.boolean(),
        fc.array(fc.oneof({ weight: 3, arbitrary: of[theme]! }, { weight: 1, arbitrary: of.applicator! }), {
          minLength: 1,
          maxLength: 4,
        }),
      )
      .map(([typed, parts]): JsonSchema => Object.assign(typed ? { type: theme } : {}, ...parts));
  return {
    node: fc.oneof(
      { maxDepth: 3, depthIdentifier: "combination", depthSize: "medium", withCrossShrink: true },
      { weight: 1, arbitrary: fc.constantFrom<JsonSchema>(true, false, { type: "string" }, { type: "integer" }) },
      { weight: 1, arbitrary: of.type! },
      { weight: 1, arbitrary: of.listed! },
      { weight: 1, arbitrary: about("string") },
      { weight: 1, arbitrary: about("number") },
      { weight: 2, arbitrary: about("array") },
      { weight: 3, arbitrary: about("object") },
      { weight: 1, arbitrary: fc.tuple(of.type!, of.listed!).map((parts) => Object.assign({}, ...parts)) },
      {
        weight: 1,
        arbitrary: fc
          .array(fc.oneof(...Object.values(of)), { minLength: 2, maxLength: 4 })
          .map((parts) => Object.assign({}, ...parts)),
      },
    ),
  };
}).node;

/** Values that may fit a schema, by a few guesses at what its keywords ask for. */
class Guess {
  constructor(
    private readonly definitions: Node,
    private readonly random: () => number,
  ) {}

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }

  value(node: JsonSchema, depth = 0): unknown {
    if (typeof node === "boolean" || depth > 6) return this.pick([...words, ...numbers, true, null, [], {}]);
    if ("const" in node) return node.const;
    if (Array.isArray(node.enum)) return this.pick(node.enum);
    const all = this.around(node, depth);
    const types = [node.type ?? []].flat() as string[];
    const type = types.length > 0 ? this.pick(types) : this.typeOf(node, all);
    switch (type) {
      case "string":
        return all.find((value) => typeof value === "string") ?? this.pick(this.strings(node));
      case "integer":
      case "number": {
        const near = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map((name) => node[name] ?? 0);
        return this.pick([...numbers, ...near.flatMap((n) => [Number(n), Number(n) + 1, Number(n) - 0.5])]);
      }
      case "array":
        return this.array(node, all, depth);
      case "object":
        return this.object(node, all, depth);
      case "boolean":
        return this.random() < 0.5;
      case "null":
        return null;
      default:
        return all.length > 0 ? this.pick(all) : this.pick([...words, ...numbers, null]);
    }
  }

  /** Values of the schemas that apply to the same value. */
  private around(node: Node, depth: number): unknown[] {
    const some = [node.anyOf, node.oneOf].flatMap((list) => (Array.isArray(list) ? [this.pick(list)] : []));
    const parts = [...((node.allOf as JsonSchema[] | undefined) ?? []), ...some];
    if (node.if !== undefined) parts.push(this.pick([node.if, node.then ?? true, node.else ?? true]));
    if (typeof node.$ref === "string") parts.push(this.definitions[node.$ref.slice("#/$defs/".length)]);
    for (const part of Object.values((node.dependentSchemas as object | undefined) ?? {}))
      if (this.random() < 0.5) parts.push(part);
    return parts.map((part) => this.value(part as JsonSchema, depth + 1));
  }

  private typeOf(node: Node, all: readonly unknown[]): string {
    const names = Object.keys(node).join(" ");
    if (/ropert|required/.test(names)) return "object";
    if (/tems|ontains/.test(names)) return "array";
    if (/Length|pattern|format/.test(names)) return "string";
    if (/imum|multiple/.test(names)) return "number";
    return all.length > 0 ? "" : this.pick(["string", "number", "null", "object", "array"]);
  }

  private strings(node: Node): string[] {
    if (typeof node.pattern !== "string") return words;
    const fitting = words.filter((one) => new RegExp(node.pattern as string, "u").test(one));
    return fitting.length > 0 ? fitting : words;
  }

  private array(node: Node, all: readonly unknown[], depth: number): unknown[] {
    const prefix = (node.prefixItems as JsonSchema[] | undefined) ?? [];
    const from = all.find(Array.isArray) ?? [];
    const least = Math.max(Number(node.minItems ?? 0), from.length);
    const count = Math.min(Number(node.maxItems ?? 4), least + Math.floor(this.random() * 3));
    const rest = (node.items ?? node.unevaluatedItems ?? true) as JsonSchema;
    const list = Array.from({ length: count }, (_, i) =>
      i < from.length && this.random() < 0.7 ? from[i] : this.value(prefix[i] ?? rest, depth + 1),
    );
    if (node.contains !== undefined && list.length > 0 && this.random() < 0.7)
      list[Math.floor(this.random() * list.length)] = this.value(node.contains as JsonSchema, depth + 1);
    return list;
  }

  private object(node: Node, all: readonly unknown[], depth: number): Node {
    const own: Node = Object.assign({}, ...all.filter((value) => typeof value === "object" && !Array.isArray(value)));
    const required = (node.required as string[] | undefined) ?? [];
    const declared = (node.properties as Record<string, JsonSchema> | undefined) ?? {};
    for (const name of keys) {
      const part = declared[name];
      const isWanted = required.includes(name) || this.random() < (part === undefined ? 0.15 : 0.5);
      if (!isWanted || (name in own && part === undefined)) continue;
      const by = Object.entries((node.patternProperties as Record<string, JsonSchema> | undefined) ?? {});
      const patterned = by.find(([pattern]) => new RegExp(pattern, "u").test(name))?.[1];
      const other = (patterned ?? node.additionalProperties ?? node.unevaluatedProperties ?? true) as JsonSchema;
      own[name] = this.value(part ?? other, depth + 1);
    }
    const entries = Object.entries(own);
    return Object.fromEntries(this.random() < 0.3 ? entries.reverse() : entries);
  }
}

/** Values that differ in one place. */
export function mutants(value: unknown): unknown[] {
  if (typeof value === "number") return [value + 1, -value + 0, value + 0.5, String(value)];
  if (typeof value === "string") return [`${value}a`, [...value].slice(1).join(""), 0];
  if (Array.isArray(value)) {
    const within = value.flatMap((part, i) => mutants(part).map((mutant) => value.with(i, mutant)));
    return [
      value.slice(1),
      value.slice(0, -1),
      [...value, ...value.slice(0, 1)],
      [...value, null],
      ...within.slice(0, 6),
    ];
  }
  if (typeof value !== "object" || value === null) return [!value];
  const entries = Object.entries(value);
  const within = entries.flatMap(([name, part], i) =>
    mutants(part).map((mutant) => Object.fromEntries(entries.with(i, [name, mutant]))),
  );
  return [
    Object.fromEntries([...entries].reverse()),
    ...keys.filter((name) => !(name in value)).map((name) => Object.fromEntries([...entries, [name, 1]])),
    ...entries.map((_, i) => Object.fromEntries(entries.toSpliced(i, 1))),
    ...within.slice(0, 8),
  ];
}

/**
 * Where one item must be contained, Ajv holds all for evaluated, as drafts before 2020-12 have it, and looks for none
 * in arrays shorter than their `prefixItems`; after a condition that is always true also what `else` speaks of is
 * evaluated.
 */
const isBeyondAjv = (text: string) =>
  (/"(?:contains|if)"/.test(text) && text.includes('"unevaluated')) ||
  (text.includes('"contains"') && text.includes('"prefixItems"'));

/** Any keywords together, in branches and under references, each with relevant values. */
export const combinations: fc.Arbitrary<Combination> = fc
  .tuple(schema, schema, schema)
  .filter((all) => !isBeyondAjv(JSON.stringify(all)))
  .chain((all) =>
    fc.tuple(
      ...(all.map((one) => fc.constant(one)) as [
        fc.Arbitrary<JsonSchema>,
        fc.Arbitrary<JsonSchema>,
        fc.Arbitrary<JsonSchema>,
      ]),
      fc.array(anyValue, { minLength: 8, maxLength: 8 }),
      fc.infiniteStream(fc.nat(999)),
    ),
  )
  .map(([root, d, e, values, stream]) => {
    const $defs = { d, e };
    const guess = new Guess($defs, () => stream.next().value / 1000);
    const guesses = Array.from({ length: 8 }, () => guess.value(root));
    return {
      schema: typeof root === "boolean" ? root : { ...root, $defs },
      values: [...values, ...guesses, ...guesses.flatMap((value) => mutants(value).slice(0, 12))],
    };
  });
