/** More causes than these are those of a circle. */
const MAX_CAUSES = 5;

/** Why something failed: a code, and the words of the system; `""` for what is not known. */
interface Reason {
  code: string;
  words: string;
}

/**
 * Why a `fetch` failed, in the words of the system, with its code (`""` without one): `fetch` itself says only that it failed.
 * Node.js puts the reason into causes, and into lists of the addresses that it tried. For any other error its own message,
 * else its code or its name.
 *
 * Errors: none.
 *
 * @example
 * await fetch("http://localhost:9999").catch(whyUnreachable); // { code: "ECONNREFUSED", words: "connect ECONNREFUSED ::1:9999" }
 */
export function whyUnreachable(error: unknown): Reason {
  const { code, words } = reasonOf(error);
  return { code, words: words || textOf(fieldsOf(error).name) || "no reason given" };
}

function reasonOf(error: unknown, depth = 0): Reason {
  const fields = fieldsOf(error);
  const { cause, errors } = fields;
  const code = textOf(fields.code);
  const inner: unknown = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  if (inner !== undefined && inner !== null && depth < MAX_CAUSES) {
    const found = reasonOf(inner, depth + 1);
    if (found.words !== "") return { code: code || found.code, words: found.words };
  }
  const isPrimitive = Object(error) !== error && error !== undefined && error !== null;
  return { code, words: (isPrimitive ? String(error) : textOf(fields.message)) || code };
}

const fieldsOf = (error: unknown) => Object(error) as Record<string, unknown>;

const textOf = (value: unknown) => (typeof value === "string" ? value : "");
