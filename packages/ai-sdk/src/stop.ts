/** How many stop sequences the APIs of OpenAI and of many that follow it take. */
const MOST = 4;

/**
 * The stop sequences of a request: the caller's, all of them, then the protocol's as far as providers take them. What is not
 * sent holds all the same, since reading ends there.
 *
 * @example stopSequences(["\n\n"], ["<tool_response>", "\n\n"]); // ["\n\n", "<tool_response>"]
 */
export function stopSequences(callers: readonly string[] = [], all: readonly string[] = []): string[] {
  const own = all.filter((each) => !callers.includes(each));
  return [...callers, ...own.slice(0, Math.max(0, MOST - callers.length))];
}
