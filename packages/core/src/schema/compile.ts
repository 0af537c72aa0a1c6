import { oncePer } from "../common/once-per.js";
import type { JsonSchema } from "../types.js";
import type { JsonObject } from "./json.js";
import { type NormalSchema, normalizeSchema } from "./normalize.js";
import { isBeyondLimits, SchemaMatcher } from "./schema-matcher.js";

/** A schema prepared once: its normal form, and functions that check values. */
export interface CompiledSchema extends NormalSchema {
  /**
   * Whether the value matches. `undefined`: it cannot be checked, because it is not JSON (`undefined`, a function),
   * nests deeper than the stack allows, or takes too many steps to match with a pattern. Never throws.
   */
  check(value: unknown): boolean | undefined;
  /** Checks JSON against nodes of `root`, or nodes made of its parts. Results for the same values are cached. */
  matcher(): SchemaMatcher;
  /** The values that match such a node. */
  matching(node: JsonSchema, values: readonly unknown[]): unknown[];
}

/** Compiles a schema. The result is cached by the schema object. */
export const compileSchema = (schema: JsonSchema): CompiledSchema =>
  typeof schema === "boolean" ? compile(schema) : compiledOnce(schema);

const compiledOnce = oncePer<JsonObject, CompiledSchema>(compile);

function compile(schema: JsonSchema): CompiledSchema {
  const normal = normalizeSchema(schema);
  const run = () => new SchemaMatcher(normal.resolve);
  return {
    ...normal,
    matcher: run,
    matching(node, values) {
      const matcher = run();
      return values.filter((value) => matcher.matches(node, value));
    },
    check(value) {
      if (normal.isTooLarge) return undefined;
      try {
        return run().matches(normal.root, value);
      } catch (error) {
        if (!isBeyondLimits(error)) throw error;
        return undefined;
      }
    },
  };
}
