/**
 * The path of a value as JavaScript writes it, as OpenAI's API does.
 *
 * @example placeOf(["messages", 0, "role"]); // "messages[0].role"
 */
export const placeOf = (steps: readonly PropertyKey[]): string =>
  steps
    .map((step) => (/^\d+$/.test(String(step)) ? `[${String(step)}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");

/**
 * The same of a JSON pointer.
 *
 * @example placeAt("/messages/0/role"); // "messages[0].role"
 */
export const placeAt = (pointer: string): string =>
  placeOf(
    pointer
      .split("/")
      .slice(1)
      .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")),
  );
