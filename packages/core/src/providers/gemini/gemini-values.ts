import { type JsonObject, join } from "../../schema/json.js";
import { listedValues } from "../../schema/listed-values.js";
import type { Losses } from "../common/losses.js";
import { plainData } from "../common/plain-data.js";
import { counts, formats, type GeminiSchema, geminiTypes, keywordsOf } from "./gemini-schema.js";
import type { Keywords } from "./keywords.js";

// The keywords for a value itself, not its parts, in Gemini's subset.

/** The annotations of a value: its title, description, default, example. */
export function annotationsOf(given: Keywords, path: string, losses: Losses): GeminiSchema {
  const [title, description, initial] = [given.take("title"), given.take("description"), given.take("default")];
  for (const [key, value] of Object.entries({ title, description })) {
    if (value !== undefined && typeof value !== "string") losses.add(join(path, key), key, "is not a string");
  }
  const [examples, example] = [given.take("examples"), given.take("example")];
  const shown: unknown[] = Array.isArray(examples) ? examples : [];
  if (examples !== undefined && shown.length !== 1) {
    losses.add(join(path, "examples"), "examples", "a schema has one example here");
  }
  if (example !== undefined) {
    losses.add(join(path, "example"), "example", "is read as `examples`", [join(path, "examples")]);
  }
  const first = shown.length > 0 ? shown[0] : example;
  return {
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    ...(initial !== undefined && { default: plainData(initial, join(path, "default"), losses) }),
    ...(first !== undefined && { example: plainData(first, join(path, "examples"), losses) }),
  };
}

/** The bounds, counts and formats of values of one type. */
export function boundsOf(given: Keywords, type: string): GeminiSchema {
  const out: GeminiSchema = { type: geminiTypes[type]! };
  for (const key of ["minimum", "maximum"] as const) {
    const value = given.takeIf(key, (found) => typeof found === "number");
    if (typeof value === "number") out[key] = value;
  }
  for (const key of counts) {
    const value = given.takeIf(key, Number.isInteger);
    if (value !== undefined) out[key] = String(value);
  }
  const pattern = given.takeIf("pattern", (found) => typeof found === "string");
  if (typeof pattern === "string") out.pattern = pattern;
  const format = given.takeIf("format", (found) => formats[type]?.includes(String(found)) === true);
  if (format !== undefined) out.format = String(format);
  return out;
}

/** The type that the keywords imply if the schema names none. */
export function inferredType(node: JsonObject, path: string, isRoot: boolean, losses: Losses): string | undefined {
  const listed = listedValues(node) ?? [];
  const ofValues = [...new Set(listed.filter((value) => value !== null).map(jsonType))];
  const ofNumbers = ofValues.every((type) => type === "integer" || type === "number") ? "number" : undefined;
  const fromValues = ofValues.length === 1 ? ofValues[0] : ofValues.length > 1 ? ofNumbers : undefined;
  const implied = Object.keys(keywordsOf).filter((type) =>
    keywordsOf[type]!.some((key) => telltale(key) && key in node),
  );
  const fromKeywords = implied.filter((type) => type !== "integer");
  const type = fromValues ?? (listed.length === 0 && fromKeywords.length === 1 ? fromKeywords[0] : undefined);
  if (type === undefined || geminiTypes[type] === undefined) return undefined;
  if (isRoot && type === "object") return type;
  losses.add(join(path, "type"), "type", `the schema has none, and the API requires one: ${geminiTypes[type]}`);
  return type;
}

/** `enum` and `const`: a choice among strings, or null. */
export function choiceOf(
  given: Keywords,
  type: string | undefined,
  path: string,
  types: readonly string[] | undefined,
  losses: Losses,
): GeminiSchema {
  const key = given.all.enum === undefined ? "const" : "enum";
  const found = given.take(key);
  const values: unknown[] = key === "const" ? ("const" in given.all ? [found] : []) : Array.isArray(found) ? found : [];
  if (values.length === 0) {
    if (found !== undefined) losses.add(join(path, key), key, "lists no values");
    return {};
  }
  const at = join(path, key);
  // The API refuses empty strings in `enum`.
  const texts = values.filter((value) => typeof value === "string" && value !== "") as string[];
  const isAll = texts.length > 0 && texts.length + Number(values.includes(null)) === values.length;
  if (!isAll || type !== "string") {
    losses.add(at, key, "only strings that are not empty can be listed here: any value of the type matches instead");
    return values.includes(null) && types === undefined && type !== undefined ? nullable(at, key, path, losses) : {};
  }
  const said = [join(path, "enum"), join(path, "type")];
  if (key === "const") losses.add(at, "const", "became an `enum` of one value", said.slice(0, 1));
  if (values.includes(null) !== (types?.includes("null") ?? false)) {
    losses.add(at, key, "the type and the listed values disagree about null", said);
  }
  // A null type matches only if null is listed too.
  const mayBeNull = values.includes(null) && (types?.includes("null") ?? true);
  return { enum: texts, ...(mayBeNull ? { nullable: true } : types?.includes("null") && { nullable: false }) };
}

function nullable(at: string, key: string, path: string, losses: Losses): GeminiSchema {
  losses.add(at, key, "null matches too: expressed by the type", [join(path, "type")]);
  return { nullable: true };
}

/** Whether a keyword applies to values of one type only. */
const telltale = (key: string) => key !== "enum" && key !== "const" && key !== "format";

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
