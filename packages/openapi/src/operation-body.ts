import { isObject } from "@toolingua/core/adapters";
import type { OpenApiDocument } from "./document.js";
import { badOperation } from "./errors.js";
import { type Fields, texts } from "./fields.js";
import { type CheckKeys, type Method, misspeltKey } from "./known-keys.js";
import { isRange, PREFERRED } from "./media-types.js";
import { isStructure, mustFit, partsOf } from "./structure.js";

/** The body of the request, in the chosen media type. */
export interface RequestBody {
  description?: string;
  required: boolean;
  mediaType: string;
  schema: unknown;
  file: string;
  /** How the properties of a form are written. */
  encoding: Readonly<Record<string, Fields>>;
  /** Whether the whole body is a file, and which properties of a form are files. */
  isFile: boolean;
  files: ReadonlySet<string>;
}

/** Chooses one of a body's media types; undefined: by the default order. */
export type ChooseMediaType = (mediaTypes: readonly string[], operation: BodyOf) => string | undefined;

/** The facts about an operation when its media type is chosen. */
interface BodyOf {
  method: Method;
  path: string;
  operationId?: string;
}

/** The body that an operation describes, in the media type that `choose` names, else the most preferred one. */
export async function bodyOf(
  document: OpenApiDocument,
  given: unknown,
  from: string,
  check: CheckKeys,
  choose: (mediaTypes: readonly string[]) => string | undefined,
): Promise<RequestBody | undefined> {
  const { value, file: place } = await document.follow(given, from);
  const slip = misspeltKey("body", value);
  // Without its content the body would be lost.
  if (slip !== undefined && isObject(value) && value.content === undefined) throw badOperation(`Its body has ${slip}`);
  check("body", value, "Its body");
  if (!isObject(value)) return undefined;
  if (!isObject(value.content)) {
    throw badOperation('Its body has no `content`, such as { "application/json": { "schema": … } }.');
  }
  const types = Object.keys(value.content);
  const chosen = choose(types);
  if (chosen !== undefined && !types.includes(chosen)) {
    throw badOperation(`Its body does not have the chosen media type "${chosen}". It has ${types.join(", ")}.`);
  }
  const usual = PREFERRED.map((isOne) => types.find(isOne)).find(Boolean) ?? types[0];
  const named = chosen ?? usual;
  if (named === undefined) return undefined;
  const { value: media, file } = await document.follow(value.content[named], place);
  check("mediaType", media, `Its body in ${named}`);
  const { schema: whole, itemSchema, encoding } = isObject(media) ? media : {};
  const schema = whole === undefined && itemSchema !== undefined ? { type: "array", items: itemSchema } : whole;
  // If any type is accepted, objects are sent as JSON.
  const mediaType = isRange(named) && (await isStructure(document, schema, file)) ? "application/json" : named;
  await mustFit(document, mediaType, schema, file);
  const encodings = isObject(encoding) ? (encoding as Record<string, Fields>) : {};
  return {
    ...texts(value, "description"),
    required: value.required === true,
    mediaType,
    schema,
    file,
    encoding: encodings,
    isFile: await isFile(document, schema, file, mediaType),
    files: await fileProperties(document, schema, file, encodings),
  };
}

/** Media types that are text, even if the schema does not say so. */
const WRITTEN = /^text\/|[/+](json|xml|yaml|x-www-form-urlencoded)\b|^multipart\//i;

/**
 * Whether a value is bytes: by `format: binary` in OpenAPI 3.0; in 3.1 by a `contentMediaType` that is not text, else
 * by the media type that it is sent in. A `contentEncoding` makes it text
 * (https://spec.openapis.org/oas/v3.1.1.html#working-with-binary-data).
 */
async function isFile(document: OpenApiDocument, schema: unknown, from: string, sentAs?: string): Promise<boolean> {
  const { value } = await document.follow(schema, from);
  const isBinary = sentAs !== undefined && !isRange(sentAs) && !WRITTEN.test(sentAs);
  if (!isObject(value)) return isBinary;
  const { type, format, contentMediaType, contentEncoding } = value;
  if (format === "binary") return true;
  if (contentEncoding !== undefined) return false;
  if (typeof contentMediaType === "string") return !WRITTEN.test(contentMediaType);
  return isBinary && (type === undefined || type === "string");
}

/** The properties of a form that are files. */
async function fileProperties(
  document: OpenApiDocument,
  schema: unknown,
  from: string,
  encoding: Readonly<Record<string, Fields>>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const { value, file } of partsOf(document, schema, from)) {
    for (const [name, property] of Object.entries(isObject(value.properties) ? value.properties : {})) {
      const at = await document.follow(property, file);
      const items = isObject(at.value) && at.value.type === "array" ? at.value.items : at.value;
      const sentAs = encoding[name]?.contentType;
      if (await isFile(document, items, at.file, typeof sentAs === "string" ? sentAs : undefined)) found.add(name);
    }
  }
  return found;
}
