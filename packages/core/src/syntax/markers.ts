/**
 * The markers of a literal, in order: each tag, and the text between tags. When read, any white space may surround a
 * marker.
 *
 * @example markersIn("</tool_call>\n<tool_call>"); // ["</tool_call>", "<tool_call>"]
 */
export const markersIn = (literal: string): string[] =>
  (literal.match(/<[^<>]*>|[^<]+|<[^<>]*/g) ?? []).map((piece) => piece.trim()).filter((piece) => piece !== "");
