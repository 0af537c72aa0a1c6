import type { ProtocolName } from "@toolingua/core";
import type { CandidateResult } from "./results.js";

/** So often a right call may come about by chance: a tool is guessed, and its arguments. */
export const CHANCE = 0.05;

/** Who won, and who else may be the best. */
export interface Verdict {
  /** The best of all; `undefined` where none makes right calls more often than by chance. */
  winner?: CandidateResult;
  /** The best that is a wire format: the winner, but where the server's own tools won. */
  best?: CandidateResult;
  /** Those that are not shown to be worse than another: with 95 % confidence, the candidate that is right most often is one of them. */
  mayBeBest: CandidateResult[];
}

/** What is known of the model besides its answers. */
export interface ModelFormats {
  /** The format that it was trained on. */
  native?: ProtocolName | undefined;
  /** The format that it writes whatever it is asked for. */
  spoken?: ProtocolName | undefined;
}

/**
 * The best format, of those that were asked all questions: the one that the model writes anyway, as long as none is shown to be
 * better, since then what tells the others apart is chance; else the one with the most right answers. Of equals, in this order, the
 * one that has more valid calls, was the model's in training, is not held (it needs less of the server), takes the fewest tokens,
 * was asked first. The server's own tools win only where they have more right answers than that.
 *
 * @example verdictOf(candidates, { native: "hermes" }).winner?.candidate.id; // "hermes held"
 */
export function verdictOf(results: readonly CandidateResult[], formats: ModelFormats): Verdict {
  const usable = results.filter(({ stopped }) => stopped !== "unusable");
  const asked = Math.max(0, ...usable.map(({ right }) => right.asked));
  const better = (one: CandidateResult, other: CandidateResult) => {
    for (const measure of measures(formats)) {
      const difference = measure(other) - measure(one);
      if (difference !== 0) return difference;
    }
    return 0;
  };
  const [best, ...others] = usable
    .filter(({ right, calls }) => right.asked === asked && calls.interval.low > CHANCE)
    .sort(better)
    .sort((one, other) => Number(isServer(one)) - Number(isServer(other)));
  const server = others.find(isServer);
  const winner = best && server && server.right.count > best.right.count ? server : best;
  return {
    ...(winner && { winner }),
    ...(best && !isServer(best) && { best }),
    mayBeBest: usable.filter(({ stopped }) => stopped !== "worse"),
  };
}

/** Whether it is the server's own tools. */
const isServer = ({ candidate }: CandidateResult) => candidate.protocol === undefined;

/** What counts, the weightiest first; more is better. */
const measures = ({ native, spoken }: ModelFormats): ((result: CandidateResult) => number)[] => [
  ({ candidate, stopped }) => (spoken !== undefined && candidate.protocol === spoken && stopped !== "worse" ? 1 : 0),
  ({ right }) => right.count,
  ({ valid }) => valid.count,
  ({ candidate }) => (native !== undefined && candidate.protocol === native ? 1 : 0),
  ({ candidate }) => (candidate.held ? 0 : 1),
  ({ tokens }) => -(tokens.in + tokens.out),
];
