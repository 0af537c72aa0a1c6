import { nearestNames } from "@toolingua/core/adapters";
import type { ProviderFormatError } from "@toolingua/core/providers";
import { at, misspelt } from "../json.js";

/**
 * What was probably meant: a key in place of a missing one, or one of the words that are expected. Empty if nothing was.
 *
 * @example hintOf(error, { messages: [{ rol: "user" }] }); // ' There is "rol": did you mean "role"?'
 */
export function hintOf({ path, expected, value }: ProviderFormatError, request: unknown): string {
  if (value === undefined) {
    const steps = stepsOf(path);
    const key = String(steps.pop() ?? "");
    return misspelt(at(request, ...steps), [key]);
  }
  const words = [...expected.matchAll(/"([^"]+)"/g)].flatMap(([, word]) => word ?? []);
  const meant = typeof value === "string" ? nearestNames(value, words).meant : undefined;
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}

/** The steps of a JSON pointer (RFC 6901); those of digits are indexes. */
const stepsOf = (pointer: string): (string | number)[] =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll("~1", "/").replaceAll("~0", "~")));
