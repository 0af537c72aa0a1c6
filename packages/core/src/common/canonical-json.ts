/**
 * Renders JSON that is the same text for equal values: the keys of every object are sorted. The value must be JSON
 * data.
 *
 * @example canonicalJson({ b: 1, a: 2 }); // '{"a":2,"b":1}'
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  let text = "";
  for (const key of Object.keys(value).sort()) {
    const part = (value as Record<string, unknown>)[key];
    if (part !== undefined) text += `${text && ","}${JSON.stringify(key)}:${canonicalJson(part)}`;
  }
  return `{${text}}`;
}
