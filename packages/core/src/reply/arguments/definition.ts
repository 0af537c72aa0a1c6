import { isObject } from "../../common/plain-object.js";
import type { Plan } from "../../schema/plan.js";

/**
 * Whether arguments have the form of the tool's own definition: a model may repeat the tools that it was shown instead
 * of calling one, or fill the definition in, and a definition has `parameters` where calls of some formats have their
 * arguments. So are several arguments that are all the words for their types.
 *
 * @example isDefinition({ type: "object", properties: { city: { type: "string" } } }, planFor(weather.parameters)); // true
 */
export function isDefinition(value: unknown, { properties, schema }: Plan): boolean {
  if (!isObject(value)) return false;
  // One such value may be meant: `{ type: "string" }`.
  const words = Object.entries(value);
  if (words.length > 1 && words.every(([key, word]) => properties.get(key)?.kind === word)) return true;
  if (value.type !== "object" || !isObject(value.properties)) return false;
  if (!isObject(schema) || schema.properties === undefined) return false;
  if (Object.keys(value).some((key) => properties.has(key))) return false;
  return Object.keys(value.properties).every((key) => properties.has(key));
}
