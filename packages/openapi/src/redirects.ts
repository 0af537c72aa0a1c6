/** The limit of `fetch` (https://fetch.spec.whatwg.org/#http-redirect-fetch). */
const MAX_REDIRECTS = 20;
const STATUSES: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Where a response redirects to, as it is written; undefined if it is an answer. `step`: how many redirects were followed
 * before.
 *
 * @example redirectOf(new Response(null, { status: 302, headers: { location: "/v2" } }), 0); // "/v2"
 */
export function redirectOf({ status, headers }: Response, step: number): string | undefined {
  const location = headers.get("location");
  return STATUSES.includes(status) && location !== null && step < MAX_REDIRECTS ? location : undefined;
}
