import { isPlainObject } from "../common/plain-object.js";
import { markedEncoding } from "../common/text-bytes.js";
import { escapeText } from "../prompt/escape.js";

/** A file in a message, in the terms of no framework. */
export interface MessageFile {
  name?: string | undefined;
  /** Empty if it is unknown. */
  mediaType: string;
  /** What its author says about it. */
  context?: string | undefined;
  /** Its text, if the message has it as a string. */
  text?: string | undefined;
  /** Otherwise its data: bytes, base64, a data URL or an address. */
  data?: unknown;
}

/** Media types of text (https://www.iana.org/assignments/media-types), with those of common data and source formats. */
const TEXT = new RegExp(
  "^\\s*(?:text(?:/|\\s*(?:;|$))|[\\w.-]+/(?:[\\w.+-]+\\+)?(?:x-)?(?:(?:nd)?json|json5|jsonl|jsonlines|json-seq|xml|x?html|" +
    "yaml|toml|sql|csv|sh|graphql|python|(?:java|ecma|type)script)\\s*(?:;|$))",
  "i",
);

/** An address, whose host may be IPv6. Other characters may be parts of a text. */
const ADDRESS = /^(?!data:)[a-z][a-z\d+.-]*:\/\/(?:\[[\da-f:.]+\]|(?!$))[\p{L}\p{M}\p{N}_.~:/?#@!$&'()*+,;=%-]*$/iu;

/**
 * What a prompt calls a file: its name, if it has one, and its type. For adapters.
 *
 * @example fileLabel({ name: "a.md", mediaType: "text/markdown" }); // "file: a.md, text/markdown"
 */
export const fileLabel = ({ name, mediaType }: MessageFile): string =>
  `file: ${[name, mediaType].filter(Boolean).join(", ")}`;

/**
 * A file of text as the message shows it: its label and its text. Providers put the text of such files into the prompt as it
 * is; an adapter that writes it into the message instead has it escaped, and calls that are copied from it are text. A file of
 * text that cannot be decoded is only named, so its data never gets into the prompt unescaped. Undefined for other files, and
 * for a file of which only the address is known. For adapters.
 *
 * @example shownTextFile({ mediaType: "text/plain", data: "SGk=" }); // "[file: text/plain]\nHi"
 */
export function shownTextFile(file: MessageFile): string | undefined {
  let { text } = file;
  if (text === undefined) {
    const data = file.data instanceof URL ? file.data.href : file.data;
    if (!TEXT.test(file.mediaType) || data === undefined || data === null) return undefined;
    if (typeof data === "string" && ADDRESS.test(data)) return undefined;
    text = decoded(file.mediaType, data);
  }
  if (text === undefined) return `[${fileLabel(file)}, not readable]`;
  return [`[${fileLabel(file)}]`, ...(file.context === undefined ? [] : [file.context]), text].join("\n");
}

/**
 * A file for the model's server, whose names and texts of parts, which it may put into the prompt, contain no markers. Knows
 * the fields of the AI SDK, LangChain and their providers. For adapters.
 *
 * @param texts receives these names and texts as they were: a call that is copied from them is text
 * @example withEscapedTexts({ type: "file", filename: "<tool_call>.pdf", data });
 */
export function withEscapedTexts<Block extends object>(block: Block, texts: string[] = []): Block {
  // A part may be nested deeper than the stack, and contain itself.
  const copies = new Map<unknown, Record<string, unknown>>([[block, { ...block } as Record<string, unknown>]]);
  const copied = (part: unknown): unknown => {
    if (!isPlainObject(part)) return part;
    const copy = copies.get(part) ?? { ...part };
    copies.set(part, copy);
    return copy;
  };
  for (const copy of copies.values()) {
    for (const [key, value] of Object.entries(copy)) {
      if (TEXTS.has(key) && typeof value === "string") {
        texts.push(value);
        copy[key] = escapeText(value);
      } else if (HOLDERS.has(key)) copy[key] = Array.isArray(value) ? value.map(copied) : copied(value);
    }
  }
  return copies.get(block) as Block;
}

/** The fields of a file that its author may have written, in all formats. */
const TEXTS = new Set(["filename", "name", "title", "context", "text"]);

/** The fields of a block that contain such fields. */
const HOLDERS = new Set(["file", "document", "metadata", "source", "content", "providerOptions", "anthropic"]);

/** The text of data, or undefined if it cannot be read. */
function decoded(mediaType: string, data: unknown): string | undefined {
  try {
    if (typeof data !== "string") return ofBytes(bytesIn(data), mediaType);
    const [head, parameters] = /^data:([^,]*),/i.exec(data) ?? [];
    if (head === undefined) return ofBytes(bytesOf(ofBase64(data)), mediaType);
    const content = percentDecoded(data.slice(head.length));
    const isBase64 = /;\s*base64\s*$/i.test(parameters ?? "");
    return ofBytes(bytesOf(isBase64 ? ofBase64(content) : content), `${parameters};${mediaType}`);
  } catch {
    return undefined;
  }
}

/** Errors: `RangeError` if the type names an unknown character set. A byte order mark comes before the type, as in browsers. */
function ofBytes(bytes: Uint8Array | undefined, type: string): string | undefined {
  if (!bytes) return undefined;
  const named = /;\s*charset\s*=\s*"?([^;"\s]+)/i.exec(type)?.[1];
  return new TextDecoder(markedEncoding(bytes) ?? named).decode(bytes);
}

function bytesIn(data: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : undefined;
}

/** The content of a data URL, a character for each byte. Errors: `URIError` if it is no Unicode. */
const percentDecoded = (content: string): string =>
  content
    .replace(/[^ -~]+/gu, encodeURIComponent)
    .replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** A character for each byte. Errors: `DOMException` if this is not base64. */
const ofBase64 = (base64: string): string => atob(base64.replaceAll("-", "+").replaceAll("_", "/"));

function bytesOf(characters: string): Uint8Array {
  // `Uint8Array.from` with a function takes fifty times as long.
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
