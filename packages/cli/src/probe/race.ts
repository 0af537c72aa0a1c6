import { evidence, LEVEL } from "./statistics.js";

/** How one candidate stands. */
export interface Standing<Candidate> {
  candidate: Candidate;
  /** Whether it was right, by question in their order. */
  answers: boolean[];
  /** After how many questions it came: what made it come is no evidence. */
  since: number;
  /**
   * Why it is asked no more. `worse`: another is right more often, which is shown; `behind`: it cannot catch up with the
   * leader on the questions that are left; `unusable`: it cannot be asked. Undefined: it was asked all questions.
   */
  stopped?: "worse" | "behind" | "unusable";
}

export interface RaceOptions<Candidate> {
  candidates: readonly Candidate[];
  /** How many questions there are. */
  count: number;
  /** So many questions are one of each kind. Nobody is stopped but after that many, or a multiple. */
  block: number;
  /** Whether candidates that cannot win are stopped. */
  stopEarly: boolean;
  /** How many candidates may come later. */
  reserve?: number;
  /** Asks the candidate these questions, by number, and gives which it got right; `undefined` where it cannot be asked. */
  ask(candidate: Candidate, questions: readonly number[]): Promise<readonly boolean[] | undefined>;
  /** Candidates that what was answered so far calls for. Asked after each block. */
  join?(standings: readonly Standing<Candidate>[]): readonly Candidate[];
  /** Whether others may be stopped for its answers. Default: those of all. */
  competes?(candidate: Candidate): boolean;
  /** Whether it may win although it has fewer right answers, so that it is not stopped for being behind. */
  mayWinBehind?(candidate: Candidate): boolean;
  /** Called when a candidate is asked no more. */
  onStop?(standing: Standing<Candidate>): void;
}

/**
 * Asks all candidates the same questions, block by block, and stops those that cannot win.
 *
 * - `worse`: it is shown that some other candidate is right more often. The {@link evidence} against a candidate is the mean
 *   of that which each of the K - 1 others has (1 for those that may still come), and 20 is enough. So the candidate that is right most
 *   often is stopped in at most 5 of 100 probes, however often one looks: against it each of these bets is fair or worse, and so
 *   is their mean. This holds whatever the answers of two candidates to one question have to do with each other, for each
 *   bet is on their difference. Kinds of questions take turns, so no single bet need be fair; those of a whole block together
 *   are (by the inequality of the arithmetic and the geometric mean), so it is looked at only after whole blocks.
 * - `behind`: even if it got all questions that are left, the leader would have more. This never changes who wins.
 *
 * @example await race({ candidates: ["a", "b"], count: 20, block: 4, stopEarly: true, ask });
 */
export async function race<Candidate>(options: RaceOptions<Candidate>): Promise<Standing<Candidate>[]> {
  const { count, block, stopEarly, ask, join, mayWinBehind, onStop } = options;
  const competes = options.competes ?? (() => true);
  const standings = options.candidates.map((candidate): Standing<Candidate> => ({ candidate, answers: [], since: 0 }));
  const most = options.candidates.filter(competes).length + (options.reserve ?? 0);
  const isShownWorse = (standing: Standing<Candidate>) => {
    const rivals = standings.filter(
      (other) => other !== standing && other.stopped !== "unusable" && competes(other.candidate),
    );
    const against = rivals.map((rival) => {
      const { won, lost } = compared(rival, standing, block);
      return evidence(won, lost);
    });
    const absent = most - rivals.length - (competes(standing.candidate) ? 1 : 0);
    if (rivals.length === 0) return false;
    return against.reduce((sum, one) => sum + one, absent) / (absent + rivals.length) >= ENOUGH;
  };
  const verdict = (standing: Standing<Candidate>, running: readonly Standing<Candidate>[], left: number) => {
    if (isShownWorse(standing)) return "worse";
    const leads = Math.max(0, ...running.filter(({ candidate }) => competes(candidate)).map(rightOf));
    if (rightOf(standing) + left >= leads || mayWinBehind?.(standing.candidate)) return undefined;
    return "behind";
  };
  const catchUp = async (standing: Standing<Candidate>, asked: number) => {
    const from = standing.answers.length;
    const questions = Array.from({ length: asked - from }, (_, i) => from + i);
    const answers = await ask(standing.candidate, questions);
    if (answers) standing.answers.push(...answers);
    else {
      standing.stopped = "unusable";
      onStop?.(standing);
    }
  };
  for (let before = 0; before < count; before += block) {
    const asked = Math.min(before + block, count);
    for (const standing of standings) if (!standing.stopped) await catchUp(standing, asked);
    for (const candidate of join?.(standings) ?? []) {
      const standing: Standing<Candidate> = { candidate, answers: [], since: asked };
      standings.push(standing);
      await catchUp(standing, asked);
    }
    if (!stopEarly || asked === count) continue;
    const running = standings.filter(({ stopped }) => !stopped);
    // All verdicts are of the same moment: none is stopped for one that is stopped here itself.
    const verdicts = running.map((standing) => verdict(standing, running, count - asked));
    for (const [i, standing] of running.entries()) {
      const stopped = verdicts[i];
      if (stopped === undefined) continue;
      standing.stopped = stopped;
      onStop?.(standing);
    }
  }
  // After the last question nobody is saved anything; that one is shown to be worse is still worth knowing.
  const worse = standings.filter((standing) => !standing.stopped && isShownWorse(standing));
  for (const standing of worse) standing.stopped = "worse";
  return standings;
}

/** Evidence that shows that a candidate is worse. */
const ENOUGH = 1 / LEVEL;

/** What part of the error of an interval is for those who are stopped early. */
const EARLY = 0.2;

/**
 * How often the interval of a candidate may miss its true share, so that all intervals of a probe hold in 95 of 100 although it is the
 * answers that decide when a candidate is stopped. The 5 % are spent on the points at which it may end: a fifth, in equal
 * parts, on those before the end, the rest on the end.
 *
 * @param asked how many questions the candidate was asked
 * @example intervalError({ count: 20, block: 4, stopEarly: true }, 20); // 0.04
 */
export function intervalError(
  plan: Pick<RaceOptions<unknown>, "count" | "block" | "stopEarly">,
  asked: number,
): number {
  const looks = earlyLooks(plan);
  if (looks === 0) return LEVEL;
  return asked >= plan.count ? (1 - EARLY) * LEVEL : (EARLY * LEVEL) / looks;
}

/** After how many blocks before the end some candidate could be stopped. */
function earlyLooks(plan: Parameters<typeof intervalError>[0]): number {
  const { count, block, stopEarly } = plan;
  let looks = 0;
  for (let asked = block; stopEarly && asked < count; asked += block)
    if (evidence(asked, 0) >= ENOUGH || count - asked < asked) looks++;
  return looks;
}

const rightOf = ({ answers }: Standing<unknown>) => answers.filter(Boolean).length;

/** How many questions of whole blocks only the one got right (`won`), or only the other (`lost`), of those that both were asked. */
function compared(one: Standing<unknown>, other: Standing<unknown>, block: number): { won: number; lost: number } {
  const from = Math.max(one.since, other.since);
  const shared = Math.min(one.answers.length, other.answers.length);
  const questions = Array.from({ length: shared - (shared % block) }, (_, i) => i).slice(from);
  return {
    won: questions.filter((i) => one.answers[i] && !other.answers[i]).length,
    lost: questions.filter((i) => !one.answers[i] && other.answers[i]).length,
  };
}
