import { isObject } from "@toolingua/core/adapters";
import { type ApiFiles, fileOf } from "./files.js";
import { isJson, isJsonLines, isMultipart, isUrlEncoded } from "./media-types.js";
import { type FormPart, multipart } from "./multipart.js";
import type { Operation } from "./operation.js";
import type { RequestBody } from "./operation-body.js";
import { jsonText, plain, queryPairs, type Style } from "./serialize.js";

/** The written body, and its content type. */
interface WrittenBody {
  content: string | Uint8Array<ArrayBuffer>;
  contentType: string;
}

/** Writes the body of a request in its media type. Errors: `OpenApiCallError` (`invalid-arguments`). */
export async function writtenBody(
  value: unknown,
  described: RequestBody,
  operation: Operation,
  files: ApiFiles | undefined,
): Promise<WrittenBody> {
  const { mediaType } = described;
  if (isMultipart(mediaType) && isObject(value)) {
    const { body, contentType } = multipart(await formParts(value, described, operation, files), mediaType);
    return { content: body, contentType };
  }
  if (described.isFile) {
    const { bytes, type } = await fileOf(value, operation, files);
    const isOpen = /\*/.test(mediaType) || /^application\/octet-stream/i.test(mediaType);
    return { content: new Uint8Array(bytes), contentType: (isOpen ? type : undefined) ?? contentTypeOf(mediaType) };
  }
  const content = isJsonLines(mediaType) && Array.isArray(value) ? lines(value) : text(value, described);
  return { content, contentType: contentTypeOf(mediaType) };
}

/** The content type of a body in this media type. A range (`image/*`) is none: it is sent as text or bytes. */
function contentTypeOf(mediaType: string): string {
  const type = mediaType.replace(/^text\/\*/i, "text/plain");
  return /\*/.test(type) ? "application/octet-stream" : type;
}

const lines = (items: readonly unknown[]) => items.map((item) => `${jsonText(item)}\n`).join("");

/** A value in a media type that has no serialization style: JSON, or text. */
export const contentText = (value: unknown, mediaType: string) => (isJson(mediaType) ? jsonText(value) : plain(value));

function text(value: unknown, { mediaType, encoding }: RequestBody): string {
  if (!isObject(value) || !isUrlEncoded(mediaType)) return contentText(value, mediaType);
  return formText(value, encoding);
}

/** A URL-encoded form. */
export function formText(value: Record<string, unknown>, encoding: RequestBody["encoding"]): string {
  return Object.entries(value)
    .flatMap(([name, item]) => {
      const { style, explode, allowReserved = false } = encoding[name] ?? {};
      // Without a declared style, an object inside a form is JSON.
      const given = isObject(item) && style === undefined && explode === undefined ? jsonText(item) : item;
      const how = (style as Style | undefined) ?? "form";
      return queryPairs(given, {
        name,
        style: how,
        explode: typeof explode === "boolean" ? explode : how === "form",
        allowReserved: allowReserved === true,
      });
    })
    .join("&");
}

/**
 * The parts of a form: a file for a binary schema, a JSON field for an object, a text field for any other value. An
 * array becomes one part per item (https://spec.openapis.org/oas/v3.1.1.html#encoding-object).
 */
async function formParts(
  value: Record<string, unknown>,
  { encoding, files: binary }: RequestBody,
  operation: Operation,
  files: ApiFiles | undefined,
): Promise<FormPart[]> {
  const parts: FormPart[] = [];
  for (const [name, item] of Object.entries(value)) {
    const given = encoding[name]?.contentType;
    const said = typeof given === "string" ? given.split(",")[0]!.trim() : undefined;
    const type = said?.includes("*") ? undefined : said;
    for (const one of Array.isArray(item) ? item : [item]) {
      if (binary.has(name)) {
        const file = await fileOf(one, operation, files);
        const isAllowed = file.type !== undefined && (typeof given !== "string" || admits(given, file.type));
        const known = isAllowed ? file.type : type;
        parts.push({
          name,
          content: file.bytes,
          type: known ?? "application/octet-stream",
          filename: file.name ?? name,
        });
      } else if (typeof one === "object" && one !== null) {
        parts.push({ name, content: jsonText(one), type: type ?? "application/json" });
      } else parts.push({ name, content: type && isJson(type) ? jsonText(one) : plain(one), type });
    }
  }
  return parts;
}

/** Whether a list of media types and ranges (`image/*`) contains a type. */
const admits = (list: string, type: string) =>
  list.split(",").some((one) => {
    const [range = ""] = one.trim().toLowerCase().split(";");
    return range === "*/*" || (range.endsWith("/*") ? type.startsWith(range.slice(0, -1)) : type.startsWith(range));
  });
