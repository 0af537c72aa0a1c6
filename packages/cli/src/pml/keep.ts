import { didYouMean } from "@toolingua/core/adapters";
import { type Keep, keepLevels } from "@toolingua/pml";
import { CliError } from "../terminal/errors.js";

/**
 * Parses the values of `--keep` for ids and elements.
 *
 * Errors: `CliError` (`usage`).
 *
 * @example keepOf(["#plan=always", "thinking=low"]); // { "#plan": "always", thinking: "low" }
 */
export function keepOf(given: readonly string[]): Record<string, Keep> {
  return Object.fromEntries(
    given.map((one) => {
      const at = one.lastIndexOf("=");
      const word = one.slice(at + 1);
      const level = keepLevels.find((known) => known === word);
      if (at > 0 && level !== undefined) return [one.slice(0, at), level];
      const hint =
        at > 0
          ? `There is no level "${word}". ${didYouMean(word, keepLevels)}`
          : `Levels are ${keepLevels.join(", ")}.`;
      throw new CliError("usage", `--keep is such as #plan=always or thinking=low, not ${one}. ${hint}`);
    }),
  );
}
