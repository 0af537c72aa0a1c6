import { isObject } from "@toolingua/core/adapters";
import type { OpenApiDocument } from "./document.js";
import { badOperation } from "./errors.js";
import { holdsObjects } from "./media-types.js";

/** Errors: `bad-operation` for an object or a list in a media type with its own notation, such as XML. */
export async function mustFit(
  document: OpenApiDocument,
  mediaType: string,
  schema: unknown,
  file: string,
): Promise<void> {
  if (holdsObjects(mediaType) || !(await isStructure(document, schema, file))) return;
  throw badOperation(`It takes an object or a list in ${mediaType}, which is not supported.`);
}

/** Whether a schema requires an object or a list, directly or by a part of its `allOf`. */
export async function isStructure(
  document: OpenApiDocument,
  schema: unknown,
  from: string,
  seen = new Set<unknown>(),
): Promise<boolean> {
  const { value, file } = await document.follow(schema, from);
  if (!isObject(value) || seen.has(value)) return false;
  seen.add(value);
  const { type, properties, allOf } = value;
  if (type === "object" || type === "array" || isObject(properties)) return true;
  for (const part of Array.isArray(allOf) ? allOf : []) {
    if (await isStructure(document, part, file, seen)) return true;
  }
  return false;
}
