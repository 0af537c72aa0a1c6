import { isObject } from "../plain-object.js";
import { separated } from "./spelling.js";

/** Keywords whose text says what a value is. */
const TELLING = ["title", "description", "enum", "const"];

/**
 * What a schema says in words, at any depth: the names of properties, titles, descriptions and choices.
 *
 * @example schemaText({ properties: { userId: { description: "Who asks" } } }); // "user Id Who asks"
 */
export function schemaText(schema: unknown): string {
  const said: string[] = [];
  const left = [schema];
  while (left.length > 0) {
    const part = left.pop();
    if (!isObject(part)) continue;
    for (const keyword of TELLING) {
      const value = part[keyword];
      for (const one of Array.isArray(value) ? value : [value]) if (typeof one === "string") said.push(one);
    }
    const named = isObject(part.properties) ? part.properties : {};
    for (const name of Object.keys(named)) said.push(separated(name));
    left.push(
      ...Object.values(named),
      ...Object.entries(part).flatMap(([key, value]) => (key === "properties" ? [] : value)),
    );
  }
  return said.join(" ");
}
