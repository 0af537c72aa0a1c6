/**
 * Whether an object in a JSON text has the same key twice, of which `JSON.parse` silently takes the last one.
 *
 * @param json a text that `JSON.parse` takes
 * @param value what it gave
 * @example hasRepeatedKey('{"a":1,"a":2}', { a: 2 }); // true
 */
export const hasRepeatedKey = (json: string, value: unknown): boolean => keysIn(json) !== keysOf(value);

/** How many keys a text has: the strings that a colon follows. */
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

/** How many keys the objects in a value have. Its depth was checked. */
function keysOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const parts: unknown[] = Object.values(value);
  return parts.reduce((sum: number, part) => sum + keysOf(part), Array.isArray(value) ? 0 : parts.length);
}
