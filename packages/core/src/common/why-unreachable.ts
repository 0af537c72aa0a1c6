/** More causes than these are those of a circle. */
const MAX_CAUSES = 5;

/**
 * Why a `fetch` failed, in the words of the system, with its code (`""` without one): `fetch` itself says only that it failed.
 * Node.js puts the reason into causes, and into lists of the addresses that it tried. For any other error its own message.
 *
 * Errors: none.
 *
 * @example
 * await fetch("http://localhost:9999").catch(whyUnreachable); // { code: "ECONNREFUSED", words: "connect ECONNREFUSED ::1:9999" }
 */
export function whyUnreachable(error: unknown, depth = 0): { code: string; words: string } {
  const { code: given, message, cause, errors } = Object(error) as Record<string, unknown>;
  const code = typeof given === "string" ? given : "";
  const inner: unknown = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  if (inner !== undefined && inner !== null && depth < MAX_CAUSES) {
    const found = whyUnreachable(inner, depth + 1);
    if (found.words !== "") return { code: code || found.code, words: found.words };
  }
  const own = typeof message === "string" ? message : error instanceof Error ? "" : String(error);
  return { code, words: own || code };
}
