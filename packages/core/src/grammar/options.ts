import { isObject } from "../plain-object.js";
import { GrammarError } from "./errors.js";
import { MAX_REPEAT } from "./rules.js";

/** The ranges of the options that are counts. The upper ends keep a grammar small enough for engines to load. */
export const grammarRanges = {
  maxCalls: [1, MAX_REPEAT],
  maxStringLength: [0, Number.MAX_SAFE_INTEGER],
  maxItems: [1, MAX_REPEAT],
  maxDepth: [0, 64],
  maxUnordered: [0, 10],
} as const;

/** The values of the options that are words. */
const words = {
  onUnenforced: ["report", "error"],
  onNarrowed: ["report", "error"],
  whitespace: ["none", "spaced", "pretty", "any"],
} as const;

type Counts = { readonly [name in keyof typeof grammarRanges]?: number | undefined };
type Words = { readonly [name in keyof typeof words]?: (typeof words)[name][number] | undefined };

/** Throws {@link GrammarError} `bad-option` for a count that is not a whole number in its range, or an unknown word. */
export function checkOptions(options: Counts & Words): void {
  for (const name of Object.keys(grammarRanges) as (keyof typeof grammarRanges)[]) {
    const count = options[name];
    const [min, max] = grammarRanges[name];
    if (count === undefined || (Number.isInteger(count) && count >= min && count <= max)) continue;
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
    throw new GrammarError("bad-option", `The option ${name} must be a whole number ${range}, not ${String(count)}.`);
  }
  for (const name of Object.keys(words) as (keyof typeof words)[]) {
    const word: string | undefined = options[name];
    const possible: readonly string[] = words[name];
    if (word === undefined || possible.includes(word)) continue;
    throw new GrammarError("bad-option", `The option ${name} must be ${possible.join(" or ")}, not ${String(word)}.`);
  }
}

/** Checks the options that every grammar of calls needs. Errors: {@link GrammarError} `bad-option`. */
export function checkCallOptions({
  tools,
  protocol,
  toolChoice,
}: Readonly<Record<"tools" | "protocol" | "toolChoice", unknown>>): void {
  const refuse = (what: string, value: unknown) => {
    const given =
      value === undefined
        ? "is missing"
        : `is not ${typeof value === "string" ? JSON.stringify(value) : String(value)}`;
    throw new GrammarError("bad-option", `\`${what.split(":")[0]}\` ${given}; it is${what.split(":")[1]}.`);
  };
  if (!Array.isArray(tools)) refuse("tools: the list of tools", tools);
  if (typeof protocol !== "string" && !isObject(protocol)) refuse("protocol: a protocol, or the name of one", protocol);
  const isChoice =
    ["auto", "required", "none"].includes(toolChoice as string) ||
    (isObject(toolChoice) && typeof toolChoice.name === "string");
  if (!isChoice) refuse('toolChoice: "auto", "required" or { name }', toolChoice);
}
