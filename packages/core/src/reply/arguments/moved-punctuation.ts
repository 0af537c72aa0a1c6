import type { Repairs } from "./repairs.js";

const COMMA = /,\s*$/;

/**
 * Whether a text in the arguments ends with a comma or a bracket where one is missing: it may have been written before the last
 * quote instead of after it.
 *
 * @example holdsPunctuation({ city: "Rome,", days: 2 }, repairs); // true, if `repairs` has "missing-comma"
 */
export function holdsPunctuation(value: unknown, repairs: Repairs): boolean {
  if (repairs.size === 0) return false;
  const tests = [
    ...(repairs.has("missing-comma") ? [(text: string) => COMMA.test(text)] : []),
    ...(repairs.has("missing-bracket") ? [endsWithBracket] : []),
  ];
  return tests.length > 0 && holdsText(value, (text) => tests.some((test) => test(text)));
}

/** Whether the last character closes a bracket that the text does not open. */
function endsWithBracket(text: string): boolean {
  const close = text.at(-1);
  const open = close === undefined ? -1 : "}])".indexOf(close);
  if (close === undefined || open < 0) return false;
  return text.split(close).length > text.split("{[(".charAt(open)).length;
}

function holdsText(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === "string") return test(value);
  return typeof value === "object" && value !== null && Object.values(value).some((part) => holdsText(part, test));
}
