import { GrammarError } from "./errors.js";
import { MAX_REPEAT } from "./rules.js";

/** What the options that are counts can be. The upper ends keep a grammar at a size that engines still load. */
const ranges = {
  maxCalls: [1, MAX_REPEAT],
  maxStringLength: [0, Number.MAX_SAFE_INTEGER],
  maxItems: [1, MAX_REPEAT],
  maxDepth: [0, 64],
  maxUnordered: [0, 10],
} as const;

/** Throws {@link GrammarError} `bad-option` where a count is not a whole number within its range. */
export function checkCounts(options: { readonly [name in keyof typeof ranges]?: number | undefined }): void {
  for (const name of Object.keys(ranges) as (keyof typeof ranges)[]) {
    const count = options[name];
    const [min, max] = ranges[name];
    if (count === undefined || (Number.isInteger(count) && count >= min && count <= max)) continue;
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
    throw new GrammarError("bad-option", `The option ${name} must be a whole number ${range}, not ${String(count)}.`);
  }
}
