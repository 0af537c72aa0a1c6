export type JsonObject = { [key: string]: unknown };

/** A JSON pointer (RFC 6901) with more steps. */
export function join(path: string, ...steps: (string | number)[]): string {
  let whole = path;
  for (const step of steps) whole += `/${escaped(String(step))}`;
  return whole;
}

const escaped = (step: string) => (/[~/]/.test(step) ? step.replaceAll("~", "~0").replaceAll("/", "~1") : step);

/** The steps of a JSON pointer. */
export const stepsOf = (path: string): string[] =>
  path
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));

/** JSON on one line, and never an exception, whatever a caller passed as arguments. */
export function printJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return `[${typeof value} that is not JSON]`;
  }
}

/** The text, cut at `max` UTF-16 units (never inside a surrogate pair) and marked where it was cut. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = max - 1;
  const last = text.charCodeAt(end - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end)}…`;
}
