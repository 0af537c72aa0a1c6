// The code block that models write around JSON: a fence with `json` or nothing after it.

const OPENING = /^\s*```(?:json)?[^\S\n]*\n\s*/;
const PART_OF_OPENING = /^\s*(?:`{1,2}|```(?:j|js|jso|json)?\s*)?$/;

/**
 * The opening of a code block at the beginning of a text, with the white space around it; undefined: there is none.
 *
 * @example fenceOpening('```json\n{"a": 1}'); // "```json\n"
 */
export const fenceOpening = (text: string): string | undefined => OPENING.exec(text)?.[0];

/** Whether a text may be the beginning of that, or is white space. */
export const mayBeFenceOpening = (text: string): boolean => PART_OF_OPENING.test(text);

/** The index where the end of a code block may begin: up to three backticks with only space after them. */
export function fenceEndIn(text: string): number {
  const end = text.trimEnd().length;
  let at = end;
  while (end - at < 3 && text[at - 1] === "`") at--;
  return at === end ? text.length : at;
}

/**
 * The content of a text that is one code block of JSON, trimmed; `undefined` for any other text. The text must be
 * trimmed. Takes one pass, even if the block has no end.
 *
 * @example inCodeBlock('```json\n{"a": 1}\n```'); // '{"a": 1}'
 */
export function inCodeBlock(text: string): string | undefined {
  const begin = fenceOpening(text)?.length;
  if (begin === undefined || !text.endsWith("```") || text.length < begin + 3) return undefined;
  return text.slice(begin, -3).trim();
}
