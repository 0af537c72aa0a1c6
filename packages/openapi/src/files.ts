import { messageOf } from "@toolingua/core/adapters";
import { OpenApiCallError } from "./errors.js";
import type { Operation } from "./operation.js";
import { jsonText } from "./serialize.js";

/** Bytes with a name and a type. A `File` is one, and so is a `Blob`, which has no name. */
export interface ApiFile {
  bytes: Uint8Array;
  name?: string | undefined;
  /** Its media type. */
  type?: string | undefined;
}

/** Access to files for models, which only write text. */
export interface ApiFiles {
  /**
   * Returns the file that a model names in an argument. Without it, the argument is the file's text, or a `data:` URL.
   */
  read?: ((reference: string, operation: Operation) => FileContent | Promise<FileContent>) | undefined;
  /** Stores a file that an API returns. The model is shown the result; without this function, only type and size. */
  save?: ((file: ApiFile, operation: Operation) => string | Promise<string>) | undefined;
}

/** The accepted forms of a file. */
export type FileContent = Uint8Array | ArrayBuffer | Blob | ApiFile;

/** The file for an argument. */
export async function fileOf(value: unknown, operation: Operation, files: ApiFiles | undefined): Promise<ApiFile> {
  if (isBytes(value)) return await asFile(value);
  if (typeof value !== "string") return { bytes: new TextEncoder().encode(jsonText(value)) };
  if (/^data:/i.test(value)) return fromDataUrl(value);
  if (files?.read) return await read(files.read, value, operation);
  return { bytes: new TextEncoder().encode(value) };
}

/** Errors: `OpenApiCallError` (`invalid-arguments`), so that the model can name another file. */
async function read(from: NonNullable<ApiFiles["read"]>, reference: string, operation: Operation): Promise<ApiFile> {
  try {
    return await asFile(await from(reference, operation));
  } catch (cause) {
    const reason = messageOf(cause);
    const message = `The file ${JSON.stringify(reference.slice(0, 200))} cannot be read: ${reason}`;
    throw new OpenApiCallError("invalid-arguments", message, { cause });
  }
}

/** Whether the value is bytes, which only code can pass. */
const isBytes = (value: unknown): value is FileContent =>
  value instanceof Uint8Array || value instanceof ArrayBuffer || value instanceof Blob || isApiFile(value);

const isApiFile = (value: unknown): value is ApiFile =>
  typeof value === "object" && value !== null && "bytes" in value && value.bytes instanceof Uint8Array;

async function asFile(content: FileContent): Promise<ApiFile> {
  if (content instanceof Uint8Array) return { bytes: content };
  if (content instanceof ArrayBuffer) return { bytes: new Uint8Array(content) };
  if (!(content instanceof Blob)) return content;
  const name = "name" in content && typeof content.name === "string" ? content.name : undefined;
  return { bytes: new Uint8Array(await content.arrayBuffer()), name, type: content.type || undefined };
}

/** https://www.rfc-editor.org/rfc/rfc9110#media.type, without parsing its parameters. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+ *(;[\x20-\x7e]*)?$/;

/** https://www.rfc-editor.org/rfc/rfc2397. Errors: `OpenApiCallError` (`invalid-arguments`). */
function fromDataUrl(url: string): ApiFile {
  const [, type = "", base64, data = ""] = /^data:([^,]*?)(;base64)?,(.*)$/is.exec(url) ?? [];
  // A URL without a type is text, possibly with parameters.
  const mediaType = type === "" || type.startsWith(";") ? `text/plain${type}` : type;
  try {
    if (!url.includes(",")) throw new Error("it has no comma");
    if (!MEDIA_TYPE.test(mediaType)) throw new Error("its media type is invalid");
    const text = decodeURIComponent(data);
    const bytes = base64 === undefined ? new TextEncoder().encode(text) : bytesOf(text);
    return { bytes, type: mediaType };
  } catch (cause) {
    const message = `This is not a valid data: URL: ${JSON.stringify(url.slice(0, 60))}. One looks like "data:image/png;base64,iVBO…".`;
    throw new OpenApiCallError("invalid-arguments", message, { cause });
  }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** Replaces bytes in arguments by text, because no schema describes bytes. */
export function withoutBytes(value: unknown, depth = 0): unknown {
  if (isBytes(value)) return "";
  if (depth > 3 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutBytes(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutBytes(item, depth + 1)]));
}

/** The file name in a `content-disposition` (https://www.rfc-editor.org/rfc/rfc6266), without folders. */
export function fileName(disposition: string | null): string | undefined {
  const [, extended] = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(disposition ?? "") ?? [];
  const [, quoted, plain] = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition ?? "") ?? [];
  const name = decoded(extended) ?? quoted?.replace(/\\(.)/g, "$1") ?? plain;
  const last = name?.replace(/^.*[/\\]/s, "").replace(/\p{Cc}+/gu, "") ?? "";
  return /^\.{0,2}$/.test(last) ? undefined : last;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
