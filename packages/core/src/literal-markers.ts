/** Whether a marker is a label: words and a colon, see `Syntax`. */
export const isLabel = (marker: string): boolean => /^\p{L}[\p{L} ]*:$/u.test(marker);

/**
 * The markers of a literal as they are looked for: told apart at tags and without the space around them, which is free
 * when read.
 *
 * @example markersIn("</tool_call>\n<tool_call>"); // ["</tool_call>", "<tool_call>"]
 */
export const markersIn = (literal: string): string[] =>
  (literal.match(/<[^<>]*>|[^<]+|<[^<>]*/g) ?? []).map((piece) => piece.trim()).filter((piece) => piece !== "");
