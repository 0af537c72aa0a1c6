export type JsonObject = { [key: string]: unknown };

/**
 * Appends steps to a JSON pointer (RFC 6901).
 *
 * @example join("/properties", "a/b", 0); // "/properties/a~1b/0"
 */
export function join(path: string, ...steps: (string | number)[]): string {
  let whole = path;
  for (const step of steps) whole += `/${escaped(String(step))}`;
  return whole;
}

const escaped = (step: string) => (/[~/]/.test(step) ? step.replaceAll("~", "~0").replaceAll("/", "~1") : step);

/** A JSON pointer in a sentence. */
export const placeOf = (path: string): string => path || "the root";

/** The steps of a JSON pointer. */
export const stepsOf = (path: string): string[] =>
  path
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Prints a value as JSON on one line. Never throws, whatever the value is. */
export function printJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return `[${typeof value} that is not JSON]`;
  }
}
