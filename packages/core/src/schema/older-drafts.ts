import type { JsonObject } from "./json.js";

// What drafts before 2020-12 write in another way.

/** Draft 4: `exclusiveMinimum: true` changes `minimum`. */
export function exclusiveBounds(out: JsonObject, raw: JsonObject): void {
  for (const [bound, exclusive] of bounds) {
    if (raw[exclusive] !== true || out[bound] === undefined) continue;
    out[exclusive] = out[bound];
    delete out[bound];
  }
}

const bounds = [
  ["minimum", "exclusiveMinimum"],
  ["maximum", "exclusiveMaximum"],
] as const;

/** Up to 2019-09 a tuple is a list under `items`, and `additionalItems` is the schema of the other items. */
export function targetOf(keyword: string, raw: JsonObject): string {
  if (keyword === "items" && Array.isArray(raw.items)) return "prefixItems";
  return keyword === "additionalItems" ? "items" : keyword;
}
