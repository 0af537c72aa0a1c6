/** Whether a text is a mark, as MiniMax M3's token `]<]minimax[>[`, which directly before a tag is a part of it. */
export const isTagMark = (text: string): boolean => /^\]<.*\[$/.test(text);

/**
 * The markers of a literal, in order: each tag, with the mark before it or the recipient after it, and the text between tags;
 * the bracket before a token of openPangu; and a token in brackets before a space and a bracket. When read, any white space may
 * surround a marker.
 *
 * @example markersIn("</tool_call>\n<tool_call>"); // ["</tool_call>", "<tool_call>"]
 */
export const markersIn = (literal: string): string[] =>
  (
    literal.match(
      /\]<\][^<]*(?:<[^<>]*>)?|<[^<>]*>(?:\w+ -> .+)?|\](?=\[unused)|\[[A-Z_]+\](?= \[)|(?:(?!\]<\]|\]\[unused)[^<])+|<[^<>]*/g,
    ) ?? []
  )
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
