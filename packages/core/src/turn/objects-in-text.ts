/**
 * The JSON objects that stand in a text, with whatever words around: each from its `{` to the `}` that ends it. What is not
 * closed is none. They are not read: what stands between the braces may be no JSON.
 *
 * @example [...objectsInText('Here it is: {"a": 1}.')]; // ['{"a": 1}']
 */
export function* objectsInText(text: string): Generator<string> {
  const signs = /["\\{}]/g;
  let depth = 0;
  let start = 0;
  let quoted = false;
  for (let sign = signs.exec(text); sign; sign = signs.exec(text)) {
    // Outside of objects a quotation mark is a word's.
    if (depth === 0 && sign[0] !== "{") continue;
    if (sign[0] === "\\") signs.lastIndex += 1;
    else if (sign[0] === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (sign[0] === "{") {
      if (depth === 0) start = sign.index;
      depth += 1;
    } else {
      depth -= 1;
      if (depth === 0) yield text.slice(start, sign.index + 1);
    }
  }
}

/**
 * What the one object in a text that can be read is read as; `undefined` where none can be, or two differ by their `value`:
 * nothing says which is meant.
 */
export function onlyObjectIn<T>(
  text: string,
  read: (json: string) => T | undefined,
  value: (read: T) => unknown = (read) => read,
): T | undefined {
  let found: T | undefined;
  for (const json of objectsInText(text)) {
    const next = read(json);
    if (next === undefined) continue;
    if (found !== undefined && JSON.stringify(value(found)) !== JSON.stringify(value(next))) return undefined;
    found ??= next;
  }
  return found;
}
