/** The reason of a failed `fetch`, whose own message does not contain it. */
export function whyUnreachable(error: unknown): string {
  const reasons: string[] = [];
  for (let at: unknown = error, depth = 0; at !== undefined && at !== null && depth < 5; depth++) {
    // After several addresses were tried, the first error has the reason.
    const { message, code, errors, cause } = Object(at) as Record<string, unknown>;
    const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
    const said = [typeof message === "string" ? message : at instanceof Error ? "" : String(at)].concat(
      typeof code === "string" && !String(message).includes(code) ? [code] : [],
    );
    const text = said.filter(Boolean).join(" ");
    if (text !== "" && !reasons.includes(text)) reasons.push(text);
    at = first ?? cause;
  }
  return reasons.join(": ") || "no reason given";
}
