import { clip } from "../common/clip.js";
import { lackedByJson } from "../common/json-text.js";
import { isObject } from "../common/plain-object.js";
import type { JsonSchema } from "../types.js";
import { invalidSchema } from "./check-parameters.js";
import { join } from "./json.js";
import { excessOf } from "./limits.js";
import { isChecked, type SchemaProblem } from "./normalize.js";
import { MAPS, VALUES } from "./references.js";

// A prompt, a grammar and a request write a schema as JSON. Reading a reply does not.

/**
 * Refuses parameters with data that JSON lacks, such as a bigint under `enum`.
 *
 * Errors: `ToolDefinitionError` (`invalid-schema`).
 *
 * @example refuseUnwritable("roll", { default: 1n }); // throws: … / default cannot be JSON: default is a bigint.
 */
export function refuseUnwritable(name: string, parameters: JsonSchema | undefined): void {
  const found = unwritableIn(parameters);
  if (found.length > 0) throw invalidSchema(name, found);
}

/** The keywords of a schema and its parts whose data JSON lacks. A schema may contain itself; data may not. */
export function unwritableIn(schema: JsonSchema | undefined): SchemaProblem[] {
  // A schema that is too large is refused, with its place, where limits are checked.
  if (!isObject(schema) || excessOf(schema)) return [];
  const found: SchemaProblem[] = [];
  const seen = new Set<object>();
  const steps: string[] = [];
  const visit = (value: unknown, isMap: boolean): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    const isOnlyParts = isMap || Array.isArray(value);
    for (const [key, part] of Object.entries(value)) {
      if (typeof part === "string") continue;
      const hasParts = isOnlyParts || MAPS.has(key) || (isChecked(key) && !VALUES.has(key));
      const lacks = hasParts && typeof part !== "bigint" ? undefined : lackedByJson(part);
      if (lacks) {
        const message = `cannot be JSON: ${key}${clip(lacks.path, 100)} ${lacks.what}`;
        found.push({ path: join("", ...steps), keyword: key, message });
      } else if (hasParts) {
        steps.push(key);
        visit(part, !isMap && MAPS.has(key));
        steps.pop();
      }
    }
  };
  visit(schema, false);
  return found;
}
