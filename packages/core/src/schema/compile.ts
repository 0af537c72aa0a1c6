import { type OutputUnit, Validator } from "@cfworker/json-schema";
import type { JsonSchema } from "../types.js";
import { type NormalSchema, normalizeSchema } from "./normalize.js";

/** A schema made ready once: its normal form and a validator for it. */
export interface CompiledSchema extends NormalSchema {
  /**
   * Whether the value fits. `undefined`: it cannot be checked, because it is no JSON (`undefined`, a function) or is
   * nested deeper than the stack. Never throws.
   */
  check(value: unknown): boolean | undefined;
  /** What the validator found until it knew that the value does not fit, parents before parts. */
  errors(value: unknown): OutputUnit[];
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
  let validator: Validator | undefined;
  try {
    validator = new Validator(normal.root as object, "2020-12");
  } catch {
    normal.problems.push({ path: "", keyword: "schema", message: "cannot be compiled" });
  }
  return {
    ...normal,
    errors: (value) => validator?.validate(value).errors ?? [],
    check(value) {
      if (!validator) return true;
      try {
        return validator.validate(value).valid;
      } catch {
        return undefined;
      }
    },
  };
}
