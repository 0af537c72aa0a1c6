const NUMBER = /^\d+(\.\d+)?$/;

/**
 * The wait that a server asks for, in ms: `retry-after` in seconds or as a date (RFC 9110, 10.2.3), or OpenAI's
 * `retry-after-ms`. `undefined` if it asks for none.
 *
 * @example retryAfterMs((name) => ({ "retry-after": "2" })[name]); // 2000
 */
export function retryAfterMs(header: (name: string) => string | undefined, now = Date.now()): number | undefined {
  const ms = header("retry-after-ms")?.trim() ?? "";
  if (NUMBER.test(ms)) return Number(ms);
  const value = header("retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  if (NUMBER.test(value)) return Number(value) * 1000;
  // `Date.parse` also accepts numbers, such as -5.
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
