// What others wrote is read here without trusting its shape.

/** Whether the value is an object as JSON has them: neither null nor an array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * What stands at a path of a JSON value; `undefined` where there is nothing.
 *
 * @example at({ choices: [{ delta: { content: "Hi" } }] }, "choices", 0, "delta", "content"); // "Hi"
 */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof step === "number") here = Array.isArray(here) ? here[step] : undefined;
    else here = isRecord(here) && Object.hasOwn(here, step) ? here[step] : undefined;
  }
  return here;
}

/** The text at a path, `undefined` where there is none. */
export function textAt(value: unknown, ...path: (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** The list at a path, empty where there is none. */
export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** A text as JSON; `undefined` where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a text is the JSON of an object, as arguments of a call are. */
export const isObjectText = (text: string): boolean => isRecord(parsed(text));

/** A value as it is quoted in a sentence: short, on one line, and without what a terminal would obey. */
export function quoted(value: unknown, most = 120): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
