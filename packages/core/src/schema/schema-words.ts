import { isObject } from "../common/plain-object.js";
import { MAPS, VALUES } from "./references.js";
import { separated } from "./spelling.js";

/** Keywords whose text says what a value is. */
const WORDED = ["title", "description", "enum", "const"];

/**
 * What a schema says in words, at any depth: the names of properties, titles, descriptions and choices. Data in it
 * (`default`, `examples`, choices that are objects) says nothing.
 *
 * @example schemaWords({ properties: { userId: { description: "Who asks" } } }); // "user Id Who asks"
 */
export function schemaWords(schema: unknown): string {
  const said: string[] = [];
  const left = [schema];
  while (left.length > 0) {
    const part = left.pop();
    if (Array.isArray(part)) for (const one of part) left.push(one);
    if (!isObject(part)) continue;
    for (const keyword of WORDED) {
      const value = part[keyword];
      for (const one of Array.isArray(value) ? value : [value]) if (typeof one === "string") said.push(one);
    }
    if (isObject(part.properties)) for (const name of Object.keys(part.properties)) said.push(separated(name));
    for (const [key, value] of Object.entries(part)) {
      if (VALUES.has(key)) continue;
      left.push(MAPS.has(key) && isObject(value) ? Object.values(value) : value);
    }
  }
  return said.join(" ");
}
