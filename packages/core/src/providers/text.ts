import { isObject } from "../plain-object.js";
import { join } from "../schema/json.js";
import { describeValue } from "../schema/words.js";
import { ProviderFormatError } from "./expect.js";
import type { Losses } from "./losses.js";

/** The types of parts that are text, and where their text is. */
const textFields: Record<string, string> = {
  text: "text",
  input_text: "text",
  output_text: "text",
  summary_text: "text",
  reasoning_text: "text",
  refusal: "refusal",
};

/**
 * The text of a message's content, which is a text or a list of parts. Parts that are no text are reported, and so is that
 * there were several.
 */
export function textOf(content: unknown, separator: string, path: string, losses: Losses): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw new ProviderFormatError(path, "a text or a list of parts", content);
  const texts = content.flatMap((part: unknown, i) => textOfPart(part, join(path, i), losses) ?? []);
  if (texts.length > 1) losses.add(path, "parts", `a message is one text here: ${texts.length} texts were joined`);
  return texts.join(separator);
}

/** The text of one part; undefined where it is none, which is reported. */
export function textOfPart(part: unknown, path: string, losses: Losses): string | undefined {
  if (typeof part === "string") return part;
  const type = isObject(part) && typeof part.type === "string" ? part.type : undefined;
  const field = type !== undefined && Object.hasOwn(textFields, type) ? textFields[type]! : undefined;
  const text = isObject(part) && field !== undefined ? part[field] : undefined;
  if (typeof text !== "string" || !isObject(part) || field === undefined) {
    losses.add(path, type ?? "part", `only text is kept: ${describeValue(part)} was left out`);
    return undefined;
  }
  losses.rest(part, ["type", field], path);
  if (type === "refusal") losses.add(path, type, "became a part of the message's text");
  return text;
}
