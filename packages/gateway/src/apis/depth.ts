import { Failure } from "../failure.js";
import { placeOf } from "../place.js";

/**
 * The deepest nesting of objects and arrays in a request. Schemas may be 200 levels deep; the stack allows some
 * thousands.
 */
const MAX_DEPTH = 500;

/** How many steps of the path an error names. */
const NAMED = 4;

/**
 * Refuses values that are nested too deeply for recursive code.
 *
 * Errors: {@link Failure} `invalid`, with the field. `at`: the path of the value in the request.
 */
export function refuseDepth(value: unknown, at: readonly PropertyKey[] = []): void {
  const steps = stepsBeyond(value, MAX_DEPTH);
  if (!steps) return;
  const param = placeOf([...at, ...steps].slice(0, NAMED));
  throw new Failure("invalid", `\`${param}\` is nested deeper than ${MAX_DEPTH} levels of objects and arrays.`, {
    param,
    code: "limit_exceeded",
  });
}

/** The path to the first value nested deeper than `levels`. */
function stepsBeyond(value: unknown, levels: number): PropertyKey[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (levels === 0) return [];
  for (const key in value) {
    const steps = stepsBeyond((value as Record<string, unknown>)[key], levels - 1);
    if (steps) return [Array.isArray(value) ? Number(key) : key, ...steps];
  }
  return undefined;
}
