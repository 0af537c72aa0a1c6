import fc from "fast-check";
import { arrow, markup, path, scenarios, word } from "./slipped-calls.js";
import { type SlipKind, slipKinds } from "./slips.js";

/** The slips in replies with escapes: for other kinds, quotes in the values make the format's own ambiguous. */
const escapes: readonly SlipKind[] = ["lose a backslash", "escape once more"];

/** Slips in replies with values that contain `>`: some kinds would change the value. */
const arrows: readonly SlipKind[] = ["lose a tag's end"];

/** The slips in replies with entities. */
const entities: readonly SlipKind[] = ["decode an entity"];

/** Scenarios, and the kinds of slip that are made in each: the same every time. */
export const given = (count: number) => [
  ...fc.sample(scenarios(word), { seed: 7, numRuns: count }).map((scenario) => ({ scenario, kinds: slipKinds })),
  ...fc
    .sample(scenarios(path), { seed: 11, numRuns: Math.ceil(count / 4) })
    .map((scenario) => ({ scenario, kinds: escapes })),
  ...fc
    .sample(scenarios(arrow), { seed: 13, numRuns: Math.ceil(count / 2) })
    .map((scenario) => ({ scenario, kinds: arrows })),
  ...fc
    .sample(scenarios(markup), { seed: 17, numRuns: Math.ceil(count / 4) })
    .map((scenario) => ({ scenario, kinds: entities })),
];
