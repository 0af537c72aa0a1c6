import { dereference, type OutputUnit, type Schema, type ValidationResult, validate } from "@cfworker/json-schema";
import { isObject } from "../plain-object.js";
import type { JsonSchema } from "../types.js";
import { hasOneOf } from "./json-types.js";
import { type NormalSchema, normalizeSchema } from "./normalize.js";
import { typesOf } from "./words.js";

/** A schema made ready once: its normal form, and what the validator says of values. */
export interface CompiledSchema extends NormalSchema {
  /**
   * Whether the value fits. `undefined`: it cannot be checked, because it is no JSON (`undefined`, a function) or is
   * nested deeper than the stack. Never throws.
   */
  check(value: unknown): boolean | undefined;
  /** What the validator found until it knew that the value does not fit, parents before parts. */
  errors(value: unknown): OutputUnit[];
  /** Whether JSON fits one node of `root`, or a node made of its parts. */
  fits(node: JsonSchema, value: unknown): boolean;
  /** Those of some values that fit such a node. */
  fitting(node: JsonSchema, values: readonly unknown[]): unknown[];
}

const cache = new WeakMap<object, CompiledSchema>();

/** Compiles a schema; the same object gives the same result, made once. */
export function compileSchema(schema: JsonSchema): CompiledSchema {
  if (typeof schema === "boolean") return compile(schema);
  let compiled = cache.get(schema);
  if (!compiled) {
    compiled = compile(schema);
    cache.set(schema, compiled);
  }
  return compiled;
}

/**
 * What tells whether a value is one of those that a node lists, where it says no more; undefined: that is for the
 * validator to say, which takes its time.
 */
function listOf(node: JsonSchema): ((value: unknown) => boolean | undefined) | undefined {
  if (typeof node === "boolean" || "enum" in node === "const" in node) return undefined;
  if (Object.keys(node).some((keyword) => !LIST.has(keyword))) return undefined;
  const listed = new Set((node.enum as unknown[] | undefined) ?? [node.const]);
  const types = typesOf(node);
  return (value) => {
    if (listed.has(value)) return types.length === 0 || hasOneOf(types, value);
    return typeof value === "object" && value !== null ? undefined : false;
  };
}

const LIST = new Set(["enum", "const", "type"]);

/** The same with private signs for halves of surrogate pairs in its keys: signs of their own, one for each. */
function withWholeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withWholeKeys);
  if (!isObject(value)) return value;
  const whole = (half: string) => String.fromCodePoint(0xf_0000 + half.charCodeAt(0));
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key.replace(/\p{Surrogate}/gu, whole), withWholeKeys(part)]),
  );
}

function compile(schema: JsonSchema): CompiledSchema {
  const normal = normalizeSchema(schema);
  let lookup: Record<string, Schema | boolean> | undefined;
  let isReadable = true;
  // Only when a value is to be checked, which making a grammar seldom asks for.
  const prepare = (): void => {
    try {
      lookup = dereference(normal.root as Schema);
    } catch {
      isReadable = false;
      normal.problems.push({ path: "", keyword: "schema", message: "cannot be compiled" });
    }
  };
  const run = (node: JsonSchema, value: unknown): ValidationResult => {
    if (!lookup && isReadable) prepare();
    if (!lookup) return { valid: true, errors: [] };
    try {
      return validate(value, node as Schema, "2020-12", lookup);
    } catch (error) {
      // The validator writes keys into URIs, which cannot hold half of a surrogate pair.
      if (!(error instanceof URIError)) throw error;
      return validate(withWholeKeys(value), node as Schema, "2020-12", lookup);
    }
  };
  return {
    ...normal,
    errors: (value) => run(normal.root, value).errors,
    fits: (node, value) => run(node, value).valid,
    fitting(node, values) {
      const isListed = listOf(node);
      return values.filter((value) => isListed?.(value) ?? run(node, value).valid);
    },
    check(value) {
      try {
        return run(normal.root, value).valid;
      } catch {
        return undefined;
      }
    },
  };
}
