import { isObject } from "../../common/plain-object.js";
import { type JsonObject, join } from "../../schema/json.js";
import { describeJson } from "../../schema/words.js";
import { ProviderFormatError, textAt } from "./expect.js";
import type { Losses } from "./losses.js";

/** The types of parts that are text, and where their text is. */
const textFields: Record<string, string> = {
  text: "text",
  input_text: "text",
  output_text: "text",
  summary_text: "text",
  reasoning_text: "text",
  refusal: "refusal",
  tool_reference: "tool_name",
};

/**
 * The text of a message's content, which is a string or a list of parts. Other parts are reported, and so is the
 * joining of several parts.
 */
export function textOf(content: unknown, separator: string, path: string, losses: Losses): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw new ProviderFormatError(path, "a text or a list of parts", content);
  const texts = content.flatMap((part: unknown, i) => textOfPart(part, join(path, i), losses) ?? []);
  if (texts.length > 1) losses.add(path, "parts", `a message is one text here: ${texts.length} texts were joined`);
  return texts.join(separator);
}

/**
 * The text of one part; undefined for a part of another type, which is reported.
 *
 * Errors: {@link ProviderFormatError} if the value is not a part.
 */
export function textOfPart(part: unknown, path: string, losses: Losses): string | undefined {
  if (typeof part === "string") return part;
  if (!isObject(part)) throw new ProviderFormatError(path, "a part: { type, … }", part);
  const type = textAt(part.type, join(path, "type"), "the type of a part");
  if (type === "search_result") return searchResult(part, path, losses);
  const document = type === "document" ? documentText(part, path, losses) : undefined;
  if (document !== undefined) return document;
  if (!Object.hasOwn(textFields, type)) {
    losses.add(path, type, `only text is kept: ${describeJson(part)} was omitted`);
    return undefined;
  }
  const field = textFields[type]!;
  const text = textAt(part[field], join(path, field), "the text of a part");
  losses.rest(part, ["type", field], path);
  if (type === "refusal" || type === "tool_reference") losses.add(path, type, "became a part of the message's text");
  return text;
}

/** Anthropic's search results: https://docs.anthropic.com/en/docs/build-with-claude/search-results */
function searchResult(part: JsonObject, path: string, losses: Losses): string {
  const heading = headingOf(part, ["title", "source"], ["type", "content"], path, losses);
  losses.add(join(path, "source"), "search_result", "became a text: its title, its source and what was found");
  return [...heading, textOf(part.content, "\n", join(path, "content"), losses)].join("\n");
}

/**
 * Anthropic's documents: https://docs.anthropic.com/en/docs/build-with-claude/citations; undefined for one that is not a
 * text, such as a PDF.
 */
function documentText(part: JsonObject, path: string, losses: Losses): string | undefined {
  const { source } = part;
  if (!isObject(source) || (source.type !== "text" && source.type !== "content")) return undefined;
  const heading = headingOf(part, ["title", "context"], ["type", "source"], path, losses);
  const at = join(path, "source");
  losses.add(at, "source", "became a text: its title, its context and its content");
  const text =
    source.type === "text"
      ? textAt(source.data, join(at, "data"), "the text of a document")
      : textOf(source.content, "\n", join(at, "content"), losses);
  return [...heading, text].join("\n");
}

/** The texts of the fields that precede the content. Those that are neither these nor the others are reported. */
function headingOf(
  part: JsonObject,
  fields: readonly string[],
  others: readonly string[],
  path: string,
  losses: Losses,
): string[] {
  losses.rest(part, [...fields, ...others], path);
  return fields.flatMap((field) => (part[field] == null ? [] : [textAt(part[field], join(path, field))]));
}
