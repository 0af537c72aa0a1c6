import { parseReply, type ReplyParserOptions } from "../full/index.js";

/** A line that ends a code block. */
const CLOSING = /^[ \t]*(?:`{3,}|~{3,})[ \t]*$/;
/** A line that begins or ends one. */
const FENCE = /^[ \t]*(?:`{3,}|~{3,})/;

/**
 * The name of the tool that an answer calls in the code block at its end, if nothing else is in the block. Such a call is text,
 * because a call that is shown and one that is meant are written alike.
 *
 * @example quotedCall('I look.\n```json\n{"name": "search", "arguments": {}}\n```', { tools, protocol: hermes }); // "search"
 */
export function quotedCall(answer: string, how: ReplyParserOptions): string | undefined {
  const lines = answer.trimEnd().split("\n");
  if (!CLOSING.test(lines.at(-1) ?? "")) return undefined;
  const opening = lines.slice(0, -1).findLastIndex((line) => FENCE.test(line));
  if (opening < 0) return undefined;
  // Alone, the block is a reply of calls, unless its language says that it is other code.
  const { text, toolCalls, invalidToolCalls } = parseReply(lines.slice(opening).join("\n"), how);
  return text.trim() === "" && invalidToolCalls.length === 0 ? toolCalls[0]?.name : undefined;
}
