import { oncePer } from "../common/once-per.js";
import type { JsonSchema } from "../types.js";
import { Fitting, isBeyondLimits } from "./fits.js";
import type { JsonObject } from "./json.js";
import { type NormalSchema, normalizeSchema } from "./normalize.js";

/** A schema prepared once: its normal form, and functions that check values. */
export interface CompiledSchema extends NormalSchema {
  /**
   * Whether the value matches. `undefined`: it cannot be checked, because it is not JSON (`undefined`, a function),
   * nests deeper than the stack allows, or takes too many steps to match with a pattern. Never throws.
   */
  check(value: unknown): boolean | undefined;
  /** Checks JSON against nodes of `root`, or nodes made of its parts. Results for the same values are cached. */
  fitter(): Fitting;
  /** The values that match such a node. */
  fitting(node: JsonSchema, values: readonly unknown[]): unknown[];
}

/** Compiles a schema. The result is cached by the schema object. */
export const compileSchema = (schema: JsonSchema): CompiledSchema =>
  typeof schema === "boolean" ? compile(schema) : compiledOnce(schema);

const compiledOnce = oncePer<JsonObject, CompiledSchema>(compile);

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
