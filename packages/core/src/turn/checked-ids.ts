import { describeValue } from "../common/describe-value.js";
import { OptionsError } from "../errors.js";

/**
 * The application's ids of calls, which must be texts: with another one, a framework finds no result of the call.
 *
 * Errors, of each id: {@link OptionsError} (`bad-option`).
 *
 * @example checkedIds(() => 5)(); // throws: `generateId` must return a text for the id of a call, not 5.
 */
export function checkedIds(generateId: () => string): () => string {
  return () => {
    const id: unknown = generateId();
    if (typeof id === "string" && id !== "") return id;
    throw new OptionsError(
      "bad-option",
      `\`generateId\` must return a text for the id of a call, not ${describeValue(id)}.`,
    );
  };
}
