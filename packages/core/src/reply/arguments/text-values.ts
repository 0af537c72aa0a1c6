import { NUMERIC } from "../../notation/numbers.js";
import { type Plan, takesOnlyNumbers } from "../../schema/plan.js";

// Numbers, lists of them, and words for yes and no, as models write them in text.

/**
 * The items of a list in a text, if no item can contain what separates them: every part is a number or an enum value, or
 * each line has a bullet.
 *
 * @example listed("1, 2", planFor({ properties: { n: { type: "integer" } } }).properties.get("n")!); // ["1", "2"]
 */
export function listed(text: string, items: Plan): string[] | undefined {
  const marked = markedLines(text);
  if (marked) return marked;
  const trimmed = text.trim();
  if (GROUPED_BY_COMMA.test(trimmed) || mayHaveDecimalCommas(trimmed, items)) return undefined;
  // A space may also separate the thousands of one number.
  const separator = /[,\n]/.test(trimmed) || GROUPED.test(trimmed) ? /,|\r?\n/ : /\s+/;
  const parts = trimmed.split(separator).map((part) => part.trim());
  const { schema } = items;
  const allowed = typeof schema === "object" && Array.isArray(schema.enum) ? schema.enum : undefined;
  const isItem = (part: string) => (allowed ? allowed.includes(part) : takesOnlyNumbers(items) && NUMERIC.test(part));
  return parts.length > 1 && parts.every(isItem) ? parts : undefined;
}

/** Whether a text begins with an element, so that it is the broken markup of a list, and not an item of one. */
export function beginsWithElement(text: string): boolean {
  const [, name] = /^\s*<([^\s<>/]{1,64})/.exec(text) ?? [];
  return name !== undefined && text.includes(`</${name}`);
}

/** Whether commas without a space after them may be decimal commas, of one number or of several: `3,14`, `0,5, 0,75`. */
const mayHaveDecimalCommas = (text: string, items: Plan): boolean =>
  takesOnlyNumbers(items) &&
  ((/\d\.\d/.test(text) && /\d,\d/.test(text) && /,\s/.test(text)) ||
    (items.types?.every((type) => type === "integer") !== true && ARE_DECIMAL.test(text)));

/** One or more numbers that are separated by white space, each with one comma at most, and one of them with it. */
const ARE_DECIMAL = /^(?=[\s\S]*\d,\d)[-+]?\d+(?:,\d+)?(?:,?\s+[-+]?\d+(?:,\d+)?)*$/;

/** The items of a list with a bullet or number before each, one per line. */
function markedLines(text: string): string[] | undefined {
  const lines = text.trim().split(/\r?\n/);
  const items = lines.map((line) => /^\s*(?:[-*•]|\d{1,3}[.)])\s+(\S.*)$/.exec(line)?.[1]?.trim());
  return items.length > 1 && items.every((item) => item !== undefined) ? items : undefined;
}

/** Digits in groups of three after a comma, which may be one number. */
const GROUPED_BY_COMMA = /(?<!\d)\d{1,3},\d{3}(?!\d)/;

/** Digits in groups of three, which may be one number. */
const GROUPED = /(?<!\d)\d{1,3}\s\d{3}(?!\d)/;

/** A number without what separates its thousands, as in `1,250.50`, `1.250,50` and `1_250`. */
export function withoutSeparators(text: string): string {
  if (SEPARATED.test(text.trim())) return text.replace(/[,_]/g, "");
  return SEPARATED_BY_POINTS.test(text.trim()) ? text.replace(/\./g, "").replace(",", ".") : text;
}

/** Numbers with points between thousands and a decimal comma, if these cannot be anything else. */
const SEPARATED_BY_POINTS = /^[+-]?[1-9]\d{0,2}(?:\.\d{3}){1,128},\d+$/;

/** Numbers with commas between thousands, if these cannot be decimal points, or with underscores. */
const SEPARATED = /^[+-]?(?:\d{1,3}(?:(?:,\d{3}){1,128}\.\d+|(?:,\d{3}){2,128})|\d{1,3}(?:_\d{3}){1,128}(?:\.\d+)?)$/;

/** Whether a text in place of an integer may be thousands as well: `1.000` is one or a thousand. */
export const mayBeThousands = (text: string): boolean => /^[+-]?[1-9]\d{0,2}\.000$/.test(text.trim());

/** Words for yes and no. */
export const BOOLEANS = new Map([
  ...["true", "yes", "on", "1"].map((word) => [word, true] as const),
  ...["false", "no", "off", "0"].map((word) => [word, false] as const),
]);

/** Whether a text means that there is no value. */
export const meansNull = (value: unknown) => typeof value === "string" && /^(?:none|null)?$/i.test(value.trim());

/** Whether a text is empty, or exactly the null of JSON or Python. */
export const isNullOrEmpty = (value: unknown) => typeof value === "string" && /^(?:None|null)?$/.test(value.trim());

/** Quoted strings as a Python tuple, and values as a set. */
export const QUOTED_TUPLE = /^\(\s*["'][^()]*["']\s*,?\s*\)$/;
export const SET = /^\{\s*(?:["'][^{}:]*["']|[\d.,\s+-]+)\s*,?\s*\}$/;

/** Text that begins with a quote or bracket, or contains a JSON list or object. */
export const HOLDS_LIST = /^\s*\(?\s*["'[{]|[[{]\s*["']|["']\s*[\]}]|["']\s*,\s*["']/;

/** A text without the backslashes of JSON that was escaped once more: its first quote has one before it. */
export function withoutSecondEscapes(text: string): string {
  const begin = text.slice(0, text.indexOf('"') + 1).replace(/\\[nrt]/g, " ");
  return /^\s*[[{][\s[{]*\\"$/.test(begin) ? withoutEscapes(text) : text;
}

/** Decodes the escapes of a JSON string; raw newlines are allowed. */
function withoutEscapes(text: string): string {
  try {
    return String(JSON.parse(`"${text.replace(/\r?\n/g, "\\n")}"`)).trim();
  } catch {
    return text;
  }
}
