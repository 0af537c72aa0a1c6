/**
 * Whether an object in a JSON text has a key twice. `JSON.parse` silently takes the last value of such a key.
 *
 * @param json a text that `JSON.parse` accepts
 * @param value its result
 * @example hasRepeatedKey('{"a":1,"a":2}', { a: 2 }); // true
 */
export const hasRepeatedKey = (json: string, value: unknown): boolean => keysIn(json) !== keysOf(value);

/** The number of keys in a text: the strings before a colon. */
function keysIn(json: string): number {
  let count = 0;
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', at)) {
    at++;
    while (json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
    at++;
    while (/\s/.test(json[at] ?? "")) at++;
    if (json[at] === ":") count++;
  }
  return count;
}

/** The number of keys of the objects in a value, whose depth was already checked. */
function keysOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const parts: unknown[] = Object.values(value);
  return parts.reduce((sum: number, part) => sum + keysOf(part), Array.isArray(value) ? 0 : parts.length);
}
