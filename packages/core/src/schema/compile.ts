import type { JsonSchema } from "../types.js";
import { Fitting, isBeyondLimits } from "./fits.js";
import { type NormalSchema, normalizeSchema } from "./normalize.js";

/** A schema made ready once: its normal form, and what tells whether values fit. */
export interface CompiledSchema extends NormalSchema {
  /**
   * Whether the value fits. `undefined`: it cannot be checked, because it is no JSON (`undefined`, a function), is nested
   * deeper than the stack, or takes too many steps to match with a pattern. Never throws.
   */
  check(value: unknown): boolean | undefined;
  /** What tells whether JSON fits nodes of `root`, or nodes made of its parts. It keeps what it knows of the values. */
  fitter(): Fitting;
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

function compile(schema: JsonSchema): CompiledSchema {
  const normal = normalizeSchema(schema);
  const run = () => new Fitting(normal.resolve);
  return {
    ...normal,
    fitter: run,
    fitting(node, values) {
      const fitting = run();
      return values.filter((value) => fitting.fits(node, value));
    },
    check(value) {
      if (normal.isTooLarge) return undefined;
      try {
        return run().fits(normal.root, value);
      } catch (error) {
        if (!isBeyondLimits(error)) throw error;
        return undefined;
      }
    },
  };
}
