import { parseReply, type ReplyParserOptions } from "../full/index.js";

/** A line of three or more backticks or tildes, which ends a code block. */
const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;

/**
 * The name of the tool that a reply calls in the code block at its end, if nothing else is in the block. Such a call is text,
 * because a call that is shown and one that is meant are written alike.
 *
 * @example quotedCall('I look.\n```json\n{"name": "search", "arguments": {}}\n```', { tools, protocol: hermes }); // "search"
 */
export function quotedCall(reply: string, how: ReplyParserOptions): string | undefined {
  const lines = reply.trimEnd().split("\n");
  const fence = FENCE.exec(lines.pop() ?? "")?.[1];
  if (fence === undefined) return undefined;
  const opening = lines.findLastIndex((line) => line.trimStart().startsWith(fence));
  if (opening < 0) return undefined;
  const { text, toolCalls, invalidToolCalls } = parseReply(lines.slice(opening + 1).join("\n"), how);
  return text.trim() === "" && invalidToolCalls.length === 0 ? toolCalls[0]?.name : undefined;
}
