import { isObject } from "../../common/plain-object.js";
import { type CompiledSchema, compileSchema } from "../../schema/compile.js";
import type { JsonObject } from "../../schema/json.js";
import { listedValues } from "../../schema/listed-values.js";
import type { SchemaMatcher } from "../../schema/schema-matcher.js";
import type { JsonSchema } from "../../types.js";
import { addGap, type GrammarGap, type GrammarGaps } from "../gaps.js";
import { type JsonStyle, MAX_UNORDERED, type Spelling } from "../json-style.js";
import { desugar } from "../rewriting/desugar.js";
import { mergeSchemas, UNMERGED } from "../rewriting/merge.js";
import { choice, type Rules } from "../rules.js";
import { type ArgumentShape, argumentShapes, type ItemShape, itemShape, type Part } from "./argument-shapes.js";
import { JsonRules } from "./json-rules.js";
import type { NodeContext } from "./node-context.js";
import { type Provenance, provenanceOf } from "./provenance.js";
import { typeRule } from "./type-rule.js";

/** A schema to which references lead, or several schemas merged. */
interface Definition {
  /** The rule's name, once a part of the schema refers to it. */
  name?: string;
  done: boolean;
  expression?: string | undefined;
  /** Why no value matches, where none does. Noted again at each place that leads here. */
  cause?: GrammarGap;
}

/** Schemas that must all match. If one of them is `false`, `denying` is the node that contains it. */
interface Parts {
  parts: Set<JsonSchema>;
  denying: object | undefined;
}

/** Translates one schema to rules. Its methods return an expression, or undefined where no value matches. */
export class SchemaRules {
  /** The keyword because of which no value matches, where none does. */
  cause: GrammarGap = { path: "", keyword: "schema" };
  /** A keyword that lists a matching value which the format cannot write. */
  unwritten: GrammarGap | undefined;
  private readonly json: JsonRules;
  private readonly compiled: CompiledSchema;
  private readonly matcher: SchemaMatcher;
  private readonly definitions = new Map<string, Definition>();
  /** Definitions that no value matches, which was found only after other rules referred to them. */
  private readonly dead = new Set<string>();
  private readonly plain = new Map<object, JsonObject>();
  private readonly ids = new Map<object, number>();
  private readonly provenance: Provenance;
  /** The number of times a keyword was noted as not enforced, including repeated notes. */
  private unenforcedCount = 0;

  constructor(
    schema: JsonSchema,
    private readonly rules: Rules,
    private readonly style: JsonStyle,
    spelling: Spelling,
    private readonly gaps: GrammarGaps,
  ) {
    this.compiled = compileSchema(schema);
    this.matcher = this.compiled.matcher();
    this.provenance = provenanceOf(this.compiled);
    this.json = JsonRules.of(rules, style, spelling);
    for (const { path, keyword } of this.compiled.problems) {
      addGap(this.gaps.unenforced, path, keyword);
      // Ignoring a keyword inside `not` makes the grammar stricter, so it is noted as narrowed as well.
      if (/\/(?:not|if|oneOf)(?:\/|$)/.test(path)) addGap(this.gaps.narrowed, path, keyword);
    }
  }

  /** An expression for the matching values; `hint` names its rules. With `only`, values of that type. */
  compile(hint: string, only?: "object"): string | undefined {
    return this.untilStable(() => this.expression(this.root(only), "", hint));
  }

  /** The keys of the matching objects, or those of a part; see {@link argumentShapes}. */
  shapes(part?: Part): ArgumentShape[] | undefined {
    const node: JsonSchema = part ? { allOf: [part.schema, { type: "object" }] } : this.root("object");
    const contextOf = (inner: JsonSchema, path: string) => this.context(inner, path, "arguments");
    return argumentShapes(node, contextOf, part && this.pathOf(part));
  }

  /** The items of the arrays of a part, if they are all of one kind; undefined if the schema restricts them further. */
  items(part: Part): ItemShape | undefined {
    const shape = itemShape(this.flat({ allOf: [part.schema, { type: "array" }] }));
    if (!shape || shape.max !== undefined || this.style.maxItems === undefined) return shape;
    addGap(this.gaps.narrowed, this.pathOf(part), "maxItems");
    return { ...shape, max: Math.max(shape.min, this.style.maxItems) };
  }

  /** An expression for the matching values of a part; with `types`, only those of these types. */
  part(part: Part, types?: readonly string[]): string | undefined {
    const { key, schema } = part;
    const node: JsonSchema = types ? { allOf: [schema, { type: [...types] }] } : schema;
    return this.untilStable(() => this.expression(node, this.pathOf(part), key));
  }

  /** The values that match the schema of a part. */
  allowed({ schema }: Part, values: readonly unknown[]): unknown[] {
    return this.compiled.matching(schema, values);
  }

  /** An expression for a value that a keyword of a part lists; undefined where the format cannot write it. */
  constant(part: Part, value: unknown, keyword: string): string | undefined {
    return this.json.constant(value, () => this.narrowed(part, keyword));
  }

  /** Notes that the format admits less than a keyword of a part. */
  narrowed(part: Part, keyword: string): void {
    this.note("narrowed", part.schema, keyword, this.pathOf(part));
  }

  private pathOf({ schema, parent }: Part): string {
    return this.compiled.origin(schema)?.path ?? parent;
  }

  private root(only: "object" | undefined): JsonSchema {
    const { root } = this.compiled;
    return only === undefined || root === false || (isObject(root) && root.type === only)
      ? root
      : { allOf: [root, { type: only }] };
  }

  /**
   * Repeats `make` until its result refers to no definition that matches no value, such as a list whose every item must
   * contain such a list.
   */
  private untilStable(make: () => string | undefined): string | undefined {
    for (let round = 0; ; round++) {
      const known = this.dead.size;
      const made = make();
      const names = [...this.definitions].flatMap(([key, { name }]) =>
        name === undefined ? [] : [[key, name] as const],
      );
      if (made !== undefined && names.length > 0) {
        const endless = this.rules.endless(names.map(([, name]) => name));
        for (const [key, name] of names) if (endless.has(name)) this.dead.add(key);
      }
      if (this.dead.size === known) return made;
      if (round === MAX_ROUNDS) return undefined;
      this.definitions.clear();
    }
  }

  private expression(node: JsonSchema, parent: string, hint: string): string | undefined {
    const path = this.compiled.origin(node)?.path ?? parent;
    if (node === false) return this.nothing(node, "schema", path);
    if (node === true) return this.any(path);
    const plain = this.desugared(node);
    if (plain.$ref === undefined && !plain.allOf) return this.ofNode(plain, path, hint);
    const { parts, denying } = this.partsOf(node);
    if (parts.has(false)) return this.nothing(denying, "allOf", path);
    return this.definition([...parts] as (JsonObject | true)[], path, hint);
  }

  /** An expression for the values that match several schemas, compiled once, so that recursion ends. */
  private definition(parts: readonly (JsonObject | true)[], path: string, hint: string): string | undefined {
    const key = parts
      .map((part) => this.idOf(part))
      .sort((a, b) => a - b)
      .join(" ");
    if (this.dead.has(key)) return this.nothing(undefined, "$ref", path);
    let known = this.definitions.get(key);
    if (known) {
      if (known.done) {
        this.cause = known.cause ?? this.cause;
        return known.expression;
      }
      known.name ??= this.rules.reserve(hint);
      return known.name;
    }
    known = { done: false };
    this.definitions.set(key, known);
    const origin = parts.length === 1 ? this.compiled.origin(parts[0]) : undefined;
    const merged = this.merged(parts);
    known.expression = merged === false ? undefined : this.ofNode(merged, origin?.path ?? path, hint);
    if (known.expression === undefined && known.name !== undefined) this.dead.add(key);
    if (known.expression !== undefined && known.name !== undefined) {
      this.rules.define(known.name, known.expression);
      known.expression = known.name;
    }
    if (known.expression === undefined) known.cause = this.cause;
    known.done = true;
    return known.expression;
  }

  private idOf(part: JsonObject | true): number {
    if (part === true) return 0;
    let id = this.ids.get(part);
    if (id === undefined) {
      id = this.ids.size + 1;
      this.ids.set(part, id);
    }
    return id;
  }

  /**
   * Splits a schema into parts that must all match, without `$ref`, `allOf` and keywords that can be rewritten as them.
   */
  private partsOf(node: JsonSchema): Parts {
    const into: Parts = { parts: new Set(), denying: undefined };
    this.collect(node, into, new Set());
    return into;
  }

  private collect(node: JsonSchema, into: Parts, seen: Set<object>): void {
    if (!isObject(node)) {
      if (node === false || into.parts.size === 0) into.parts.add(node);
      return;
    }
    if (seen.has(node)) return;
    seen.add(node);
    const plain = this.desugared(node);
    if (typeof plain.$ref === "string") return this.collect(this.compiled.resolve(plain.$ref), into, seen);
    if (!plain.allOf) {
      into.parts.add(plain);
      return;
    }
    const rest = this.restOf(plain);
    if (Object.keys(rest).length > 0) into.parts.add(rest);
    for (const part of plain.allOf as JsonSchema[]) {
      this.collect(part, into, seen);
      if (part === false) into.denying = this.denials.get(node) ?? node;
    }
  }

  /** For nodes that a keyword other than `allOf` denies: an object made for that keyword. */
  private readonly denials = new Map<object, object>();

  private desugared(node: JsonObject): JsonObject {
    let plain = this.plain.get(node);
    if (!plain) {
      const at = (keyword: string) => this.provenance.of(node, keyword, "")[0]!;
      plain = desugar(node, this.compiled.resolve, {
        unenforced: (keyword) => this.note("unenforced", node, keyword, ""),
        standsFor: (made, keyword) => {
          this.provenance.standsFor(made, at(keyword));
          if (made !== false) return;
          const denial = {};
          this.provenance.standsFor(denial, at(keyword));
          this.denials.set(node, denial);
        },
      });
      if (plain !== node) this.provenance.made(plain, [node]);
      this.noteNull(node);
      this.plain.set(node, plain);
    }
    return plain;
  }

  /**
   * In OpenAPI 3.0 `nullable` does not add null to listed values, but many authors expect it to, so null is admitted.
   */
  private noteNull(node: JsonObject): void {
    const { path, schema } = this.compiled.origin(node) ?? {};
    if (!isObject(schema) || schema.nullable !== true || node.$ref !== undefined) return;
    const isListed = Array.isArray(schema.enum) ? schema.enum.includes(null) : (schema.const ?? null) === null;
    if (!isListed) addGap(this.gaps.unenforced, path ?? "", "enum" in schema ? "enum" : "const");
  }

  private readonly rests = new Map<object, JsonObject>();

  /** The keywords beside `allOf` or a union, as one object per schema, so that recursion is detected. */
  private restOf(node: JsonObject, keyword = "allOf"): JsonObject {
    let rest = this.rests.get(node);
    if (!rest) {
      const { [keyword]: _, $defs, [UNMERGED]: __, ...others } = node;
      rest = others;
      this.provenance.made(rest, [node]);
      this.rests.set(node, rest);
    }
    return rest;
  }

  /** Merges a schema with its `$ref` and `allOf`. */
  private flat(node: JsonSchema): JsonSchema {
    return this.merged([...this.partsOf(node).parts]);
  }

  private merged(parts: readonly JsonSchema[]): JsonSchema {
    return parts.reduce<JsonSchema>((before, part) => {
      const both = mergeSchemas(before, part);
      if (!isObject(before) || !isObject(part)) return both;
      if (both === false) this.nothing(part, CONFLICTING.find((keyword) => keyword in part) ?? "allOf", "");
      else this.provenance.merged(both as JsonObject, before, part);
      return both;
    }, true);
  }

  /** An expression for a schema without `$ref` and `allOf` at its top. */
  private ofNode(node: JsonSchema, path: string, hint: string): string | undefined {
    if (typeof node === "boolean") return this.any(path);
    if ("const" in node || node.enum) return this.constants(node, path);
    for (const part of (node[UNMERGED] as JsonObject[] | undefined) ?? [])
      for (const keyword of Object.keys(part)) this.note("unenforced", part, keyword, path);
    for (const keyword of UNIONS) {
      if (!node[keyword]) continue;
      if (keyword === "oneOf") this.note("unenforced", node, keyword, path);
      return this.union(node, keyword, path, hint);
    }
    return typeRule(node, this.context(node, path, hint), () => this.any(path));
  }

  private constants(node: JsonObject, path: string): string | undefined {
    const values = listedValues(node) ?? [];
    const also = (node[UNMERGED] as JsonObject[] | undefined) ?? [];
    const matching = [node, ...also].reduce((left, part) => this.compiled.matching(part, left), values);
    const keyword = node.enum ? "enum" : "const";
    const narrowed = () => this.note("narrowed", node, keyword, path);
    if ("if" in node) this.note("unenforced", node, "if", path);
    const written = matching.map((value) => this.json.constant(value, narrowed)).filter((text) => text !== undefined);
    if (written.length < matching.length) {
      narrowed();
      [this.unwritten] = this.provenance.of(node, keyword, path);
    }
    return written.length === 0 ? this.nothing(node, keyword, path) : choice(written);
  }

  /** Any of the branches, each merged with the keywords beside the union. */
  private union(node: JsonObject, keyword: string, path: string, hint: string): string | undefined {
    const branches = node[keyword] as JsonSchema[];
    const rest = this.restOf(node, keyword);
    const isAlone = Object.keys(rest).length === 0;
    const possible = branches
      .map((branch, i) => this.expression(isAlone ? branch : { allOf: [branch, rest] }, path, `${hint}-${i + 1}`))
      .filter((option) => option !== undefined);
    return possible.length === 0 ? this.nothing(node, keyword, path) : this.rules.add(hint, choice(possible));
  }

  private any(path: string): string {
    if (this.style.maxDepth !== undefined) addGap(this.gaps.narrowed, path, "maxDepth");
    if (this.style.maxItems !== undefined) addGap(this.gaps.narrowed, path, "maxItems");
    if (this.style.maxStringLength !== undefined) addGap(this.gaps.narrowed, path, "maxStringLength");
    if (this.json.strings.narrows) addGap(this.gaps.narrowed, path, "type");
    if (this.json.narrowsKeys) addGap(this.gaps.narrowed, path, "additionalProperties");
    return this.json.any();
  }

  private context(node: JsonSchema, parent: string, hint: string): NodeContext {
    const { rules, json, style } = this;
    const path = this.compiled.origin(node)?.path ?? parent;
    return {
      rules,
      json,
      hint,
      path,
      maxUnordered: style.maxUnordered ?? MAX_UNORDERED,
      maxItems: style.maxItems,
      maxDepth: style.maxDepth,
      closed: style.closed ?? false,
      expression: (part, name, onLoose) => {
        const before = this.unenforcedCount;
        const expression = this.expression(part, path, name);
        if (this.unenforcedCount > before) onLoose?.();
        return expression;
      },
      flat: (part) => this.flat(part),
      rest: (keyword) => this.restOf(node as JsonObject, keyword),
      matches: (schema, value) => this.matcher.matches(schema, value),
      unenforced: (keyword, by = node) => this.note("unenforced", by, keyword, path),
      narrowed: (keyword) => this.note("narrowed", node, keyword, path),
      nothing: (keyword) => this.nothing(node, keyword, path),
      standsFor: (made, keyword) => this.provenance.standsFor(made, this.provenance.of(node, keyword, path)[0]!),
    };
  }

  private note(list: keyof GrammarGaps, node: unknown, keyword: string, path: string): void {
    if (list === "unenforced") this.unenforcedCount++;
    for (const gap of this.provenance.of(node, keyword, path)) addGap(this.gaps[list], gap.path, gap.keyword);
  }

  private nothing(node: unknown, keyword: string, path: string): undefined {
    [this.cause] = this.provenance.of(node, keyword, path) as [GrammarGap];
    return undefined;
  }
}

/** Keywords that may contradict each other, so that no value matches both. */
const CONFLICTING = ["type", "const", "enum"];

const UNIONS = ["anyOf", "oneOf"] as const;

const MAX_ROUNDS = 16;
