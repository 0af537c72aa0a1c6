/**
 * Puts a line break before a piece of text where it meets a call that became text: white space around a call is not text.
 * None if one of the two has white space there.
 *
 * @example lineBetween("Let me look.", "<tool_call>"); // "\n<tool_call>"
 */
export const lineBetween = (before: string, piece: string): string =>
  before === "" || /\s$/.test(before.slice(-1)) || /^\s/.test(piece) ? piece : `\n${piece}`;
