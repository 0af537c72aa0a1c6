import { parseReply, type ReplyParserOptions } from "../full/index.js";
import { FENCE_LINE } from "../notation/markdown-code.js";

/**
 * The name of the tool that an answer calls in the code block at its end, if nothing else is in the block. Such a call is text,
 * because a call that is shown and one that is meant are written alike.
 *
 * @example quotedCall('I look.\n```json\n{"name": "search", "arguments": {}}\n```', { tools, protocol: hermes }); // "search"
 */
export function quotedCall(answer: string, how: ReplyParserOptions): string | undefined {
  const whole = answer.trimEnd();
  const [opening, closing] = [...whole.matchAll(FENCE_LINE)].slice(-2);
  if (!opening || !closing || closing[2]?.trim() !== "" || closing.index + closing[0].length < whole.length)
    return undefined;
  // Alone, the block is a reply of calls, unless its language says that it is other code.
  const { text, toolCalls, invalidToolCalls } = parseReply(whole.slice(opening.index), how);
  return text.trim() === "" && invalidToolCalls.length === 0 ? toolCalls[0]?.name : undefined;
}
