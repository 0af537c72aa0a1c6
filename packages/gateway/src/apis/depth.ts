import { Failure } from "../failure.js";

/** How many objects and arrays of a request may stand in each other: a schema's may be 200 deep, and the stack holds some thousands. */
const MAX_DEPTH = 500;

/** How many steps of the way to what is too deep are named. */
const NAMED = 4;

/**
 * Refuses what is nested too deep to be gone through.
 *
 * Errors: {@link Failure} `invalid`, with the field. `at`: where the value stands in the request.
 */
export function refuseDepth(value: unknown, at: readonly string[] = []): void {
  const steps = stepsBeyond(value, MAX_DEPTH);
  if (!steps) return;
  const param = [...at, ...steps].slice(0, NAMED).join(".");
  throw new Failure("invalid", `\`${param}\`: is nested deeper than ${MAX_DEPTH} levels of objects and arrays.`, {
    param,
    code: "limit_exceeded",
  });
}

/** The way to the first value that is more than so many levels deep. */
function stepsBeyond(value: unknown, levels: number): string[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (levels === 0) return [];
  for (const key in value) {
    const steps = stepsBeyond((value as Record<string, unknown>)[key], levels - 1);
    if (steps) return [key, ...steps];
  }
  return undefined;
}
