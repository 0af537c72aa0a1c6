import { isObject } from "@toolingua/core/adapters";
import type { OpenApiDocument } from "./document.js";
import { badOperation } from "./errors.js";
import type { Fields } from "./fields.js";
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
export async function isStructure(document: OpenApiDocument, schema: unknown, from: string): Promise<boolean> {
  for await (const { value } of partsOf(document, schema, from)) {
    const { type, properties } = value;
    if (type === "object" || type === "array" || isObject(properties)) return true;
  }
  return false;
}

/** A schema, and the parts of its `allOf` and of theirs; each once, with its file. */
export async function* partsOf(
  document: OpenApiDocument,
  schema: unknown,
  from: string,
): AsyncGenerator<{ value: Fields; file: string }, void> {
  const seen = new Set<unknown>();
  const open = [{ part: schema, from }];
  // The list grows during the loop.
  for (const { part, from } of open) {
    const { value, file } = await document.follow(part, from);
    if (!isObject(value) || seen.has(value)) continue;
    seen.add(value);
    yield { value, file };
    for (const part of Array.isArray(value.allOf) ? value.allOf : []) open.push({ part, from: file });
  }
}
