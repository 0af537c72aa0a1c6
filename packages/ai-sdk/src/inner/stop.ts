/** The maximum number of stop sequences in OpenAI's API and many compatible ones. */
const MOST = 4;

/**
 * The stop sequences of a request: all of the caller's, then the protocol's up to the limit of providers. Sequences
 * that are not sent still apply, because reading stops there.
 *
 * @example stopSequences(["\n\n"], ["<tool_response>", "\n\n"]); // ["\n\n", "<tool_response>"]
 */
export function stopSequences(callers: readonly string[] = [], all: readonly string[] = []): string[] {
  const own = all.filter((each) => !callers.includes(each));
  return [...callers, ...own.slice(0, Math.max(0, MOST - callers.length))];
}
