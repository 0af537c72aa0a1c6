/**
 * The markers of a literal, in order: each tag by itself, and the text between tags. White space around a marker is free
 * when it is read.
 *
 * @example markersIn("</tool_call>\n<tool_call>"); // ["</tool_call>", "<tool_call>"]
 */
export const markersIn = (literal: string): string[] =>
  (literal.match(/<[^<>]*>|[^<]+|<[^<>]*/g) ?? []).map((piece) => piece.trim()).filter((piece) => piece !== "");
