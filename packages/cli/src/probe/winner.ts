import type { ProtocolName } from "@toolingua/core";
import type { CandidateResult } from "./results.js";

/** How often a right call may occur by chance: a guessed tool with guessed arguments. */
const CHANCE = 0.05;

/** The winner, and the other candidates that may be the best. */
export interface Verdict {
  /** The best candidate; `undefined` if none makes right calls more often than by chance. */
  winner?: CandidateResult;
  /** The best wire format: the winner, unless the server's own tools won. */
  best?: CandidateResult;
  /** Candidates not shown to be worse: with 95 % confidence, the one that is right most often is among them. */
  mayBeBest: CandidateResult[];
}

/** What is known about the model besides its answers. */
interface ModelFormats {
  /** The format that it was trained on. */
  native?: ProtocolName | undefined;
  /** The format that it writes whatever is requested. */
  spoken?: ProtocolName | undefined;
}

/**
 * The best format among those that were asked all questions: the one that the model writes anyway, unless another is
 * shown to be better, because the other differences are then chance; else the one with the most right answers. Ties are
 * broken in this order: more valid calls, trained format, unconstrained (needs less of the server), fewest tokens,
 * asked first. The server's own tools win only with more right answers than that.
 *
 * @example verdictOf(candidates, { native: "hermes" }).winner?.candidate.id; // "hermes constrained"
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

/** Whether the candidate is the server's own tools. */
const isServer = ({ candidate }: CandidateResult) => candidate.protocol === undefined;

/** The criteria, the most important first; more is better. */
const measures = ({ native, spoken }: ModelFormats): ((result: CandidateResult) => number)[] => [
  ({ candidate, stopped }) => (spoken !== undefined && candidate.protocol === spoken && stopped !== "worse" ? 1 : 0),
  ({ right }) => right.count,
  ({ valid }) => valid.count,
  ({ candidate }) => (native !== undefined && candidate.protocol === native ? 1 : 0),
  ({ candidate }) => (candidate.constrained ? 0 : 1),
  ({ tokens }) => -(tokens.in + tokens.out),
];
