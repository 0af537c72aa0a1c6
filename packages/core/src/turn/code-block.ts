const OPENING = /^```(?:json)?[^\S\n]*\n/;

/**
 * The content of a reply that is one code block of JSON, trimmed; `undefined` for any other reply. The reply must be
 * trimmed. Takes one pass, even if the block has no end.
 *
 * @example inCodeBlock('```json\n{"a": 1}\n```'); // '{"a": 1}'
 */
export function inCodeBlock(reply: string): string | undefined {
  const begin = OPENING.exec(reply)?.[0].length;
  if (begin === undefined || !reply.endsWith("```") || reply.length < begin + 3) return undefined;
  return reply.slice(begin, -3).trim();
}
