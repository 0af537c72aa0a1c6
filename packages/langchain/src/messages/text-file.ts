import { escapeText } from "@toolingua/core";
import { isObject, textOfFile } from "@toolingua/core/adapters";

type Fields = Record<string, unknown>;

/**
 * A block with a file of text as a message shows it, after its name: providers would put its text into the prompt unescaped.
 * Undefined for other blocks, and for files of which only the address is known. Reads LangChain's blocks, and those of OpenAI
 * (https://platform.openai.com/docs/guides/pdf-files) and Anthropic (https://docs.claude.com/en/docs/build-with-claude/citations).
 *
 * @example textFileIn({ type: "file", mimeType: "text/plain", data: "SGk=" }); // "[file: text/plain]\nHi"
 */
export function textFileIn(block: Fields): string | undefined {
  const file = recordOf(block.file ?? block.source);
  const { content } = file;
  const data = block.data ?? block.file_data ?? file.data ?? file.file_data;
  const mediaType =
    [block.mimeType, block.mime_type, file.media_type, typeOf(data)].find(isText) ?? (content ? "text/plain" : "");
  const text =
    content !== undefined
      ? textOfContent(content)
      : file.type === "text" && isText(data)
        ? data
        : textOfFile(mediaType, data);
  if (text === undefined) return undefined;
  const { filename, name, title } = { ...recordOf(block.metadata), ...block, ...file };
  const label = [filename ?? title ?? name, mediaType].filter(isText).join(", ");
  return [`[file: ${label}]`, ...[block.context].filter(isText), text].join("\n");
}

/** A block whose names, which the provider may put into the prompt, contain no markers. */
export function withEscapedNames(block: Fields): Fields {
  const escaped = Object.entries(block).map(([key, value]): [string, unknown] => {
    if (NAMES.has(key) && isText(value)) return [key, escapeText(value)];
    return HOLDERS.has(key) && isPlain(value) ? [key, withEscapedNames(value)] : [key, value];
  });
  return Object.fromEntries(escaped);
}

/** The fields of a file that its author may have written, in all formats. */
const NAMES = new Set(["filename", "name", "title", "context"]);

/** The fields of a block that contain such names. */
const HOLDERS = new Set(["file", "metadata"]);

const isPlain = (value: unknown): value is Fields =>
  isObject(value) && Object.getPrototypeOf(value) === Object.prototype;

const isText = (value: unknown): value is string => typeof value === "string";

const recordOf = (value: unknown): Fields => (isObject(value) ? value : {});

/** The media type in a data URL. */
const typeOf = (data: unknown): string | undefined =>
  isText(data) ? /^data:([^;,]+)/i.exec(data.slice(0, 200))?.[1] : undefined;

/** The text of a document in parts, if all of them are text. */
function textOfContent(content: unknown): string | undefined {
  if (isText(content)) return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part: unknown) => recordOf(part).text);
  return texts.every(isText) ? texts.join("\n") : undefined;
}
