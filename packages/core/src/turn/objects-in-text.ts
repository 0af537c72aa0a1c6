/**
 * Finds the objects in a text: each from its `{` to the closing `}`. Unclosed objects are skipped. The objects are not
 * parsed, so the text between the braces need not be JSON.
 *
 * @example [...objectsInText('Here it is: {"a": 1}.')]; // ['{"a": 1}']
 */
export function* objectsInText(text: string): Generator<string> {
  const marks = /["\\{}]/g;
  let depth = 0;
  let start = 0;
  let quoted = false;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    // Outside of objects, quotation marks are ordinary text.
    if (depth === 0 && mark[0] !== "{") continue;
    if (mark[0] === "\\") marks.lastIndex += 1;
    else if (mark[0] === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (mark[0] === "{") {
      if (depth === 0) start = mark.index;
      depth += 1;
    } else {
      depth -= 1;
      if (depth === 0) yield text.slice(start, mark.index + 1);
    }
  }
}

/**
 * Reads the only readable object in a text; `undefined` if there is none, or if two differ in their `value`, because
 * the choice would be a guess.
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
