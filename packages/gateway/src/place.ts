const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/**
 * The path of a value as JavaScript writes it, as OpenAI's API does. Numbers are indexes; keys that are no identifiers
 * are quoted.
 *
 * @example
 * placeOf(["messages", 0, "role"]); // messages[0].role
 * placeOf(["metadata", "0"]); // metadata["0"]
 */
export const placeOf = (steps: readonly PropertyKey[]): string =>
  steps
    .map((step) => {
      if (typeof step === "number") return `[${step}]`;
      const key = String(step);
      return IDENTIFIER.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    })
    .join("")
    .replace(/^\./, "");

/**
 * The same of a JSON pointer. Lists and objects look the same in it: a key of digits is written as an index.
 *
 * @example placeAt("/messages/0/role"); // messages[0].role
 */
export const placeAt = (pointer: string): string =>
  placeOf(
    pointer
      .split("/")
      .slice(1)
      .map((step) =>
        /^(?:0|[1-9]\d{0,9})$/.test(step) ? Number(step) : step.replaceAll("~1", "/").replaceAll("~0", "~"),
      ),
  );
