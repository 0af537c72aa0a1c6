/**
 * Finds the objects in a text: each from its `{` to the closing `}`. Unclosed objects are skipped. The objects are not
 * parsed, so the text between the braces need not be JSON.
 *
 * @example [...objectsInText('Here it is: {"a": 1}.')]; // ['{"a": 1}']
 */
export const objectsInText = (text: string): Generator<string> => bracketed(text, /["\\{}]/g);

/**
 * Finds the objects and lists in a text, as {@link objectsInText}: of nested ones the outermost. A list begins a line or
 * follows a colon; another, such as the mark of a source, is part of its sentence.
 *
 * @example [...valuesInText("As said [1]: [1, 2]")]; // ["[1, 2]"]
 */
export const valuesInText = (text: string): Generator<string> => bracketed(text, /["\\{}[\]]/g);

function* bracketed(text: string, marks: RegExp): Generator<string> {
  let depth = 0;
  let start = 0;
  let quoted = false;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const [sign] = mark;
    const opens = sign === "{" || sign === "[";
    // Outside of objects and lists, quotation marks are ordinary text.
    if (depth === 0 && !opens) continue;
    if (sign === "\\") marks.lastIndex += 1;
    else if (sign === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (opens) {
      if (depth === 0) start = mark.index;
      depth += 1;
    } else {
      depth -= 1;
      if (depth === 0 && (sign === "}" || isAnnounced(text, start))) yield text.slice(start, mark.index + 1);
    }
  }
}

/** Whether what begins here begins a line, or follows a colon, perhaps in emphasis. */
function isAnnounced(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 32), start).replace(/[ \t*_`]+$/, "");
  return before === "" ? start <= 32 : /[:：\n]$/.test(before);
}

/**
 * Reads the only readable one of the objects in a text, or of other `parts` of it; `undefined` if there is none, or if two
 * differ in their `value`, because the choice would be a guess.
 */
export function onlyObjectIn<T>(
  text: string,
  read: (json: string) => T | undefined,
  value: (read: T) => unknown = (read) => read,
  parts: Iterable<string> = objectsInText(text),
): T | undefined {
  let found: T | undefined;
  for (const json of parts) {
    const next = read(json);
    if (next === undefined) continue;
    if (found !== undefined && JSON.stringify(value(found)) !== JSON.stringify(value(next))) return undefined;
    found ??= next;
  }
  return found;
}
