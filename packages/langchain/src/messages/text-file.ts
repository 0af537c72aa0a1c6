import { isObject, shownTextFile } from "@toolingua/core/adapters";

type Fields = Record<string, unknown>;

/**
 * A block with a file of text as a message shows it, after its name: providers would put its text into the prompt unescaped.
 * Undefined for other blocks, and for files of which only the address is known. Reads LangChain's blocks, and those of OpenAI
 * (https://platform.openai.com/docs/guides/pdf-files), Anthropic (https://docs.claude.com/en/docs/build-with-claude/citations)
 * and Bedrock (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html).
 *
 * @example textFileIn({ type: "file", mimeType: "text/plain", data: "SGk=" }); // "[file: text/plain]\nHi"
 */
export function textFileIn(block: Fields): string | undefined {
  const holder = recordOf(block.file ?? block.document ?? block.source);
  const file = { ...holder, ...recordOf(holder.source) };
  const data = block.data ?? block.file_data ?? file.data ?? file.file_data ?? file.bytes;
  const text = file.text ?? textOfContent(file.content) ?? (file.type === "text" ? data : undefined);
  // Parts that are not all text stay with the model's server.
  if (file.content !== undefined && text === undefined) return undefined;
  const known = [block.mimeType, block.mime_type, file.media_type, typeOf(data), FORMATS.get(file.format)].find(isText);
  const { filename, title, name, context } = { ...recordOf(block.metadata), ...block, ...file };
  return shownTextFile({
    name: [filename, title, name].find(isText),
    mediaType: known ?? (isText(text) ? "text/plain" : ""),
    ...(isText(context) && { context }),
    ...(isText(text) && { text }),
    data,
  });
}

/** Bedrock's formats of text. */
const FORMATS = new Map<unknown, string>([
  ["txt", "text/plain"],
  ["md", "text/markdown"],
  ["csv", "text/csv"],
  ["html", "text/html"],
]);

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
