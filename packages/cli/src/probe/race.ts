import { evidence, LEVEL } from "./statistics.js";

/** The state of one candidate. */
export interface Standing<Candidate> {
  candidate: Candidate;
  /** Whether each answer was right, by question. */
  answers: boolean[];
  /** The number of questions before the candidate joined. Answers that led to its joining are not evidence. */
  since: number;
  /**
   * Why the candidate was stopped. `worse`: another is shown to be right more often; `behind`: it cannot catch up with
   * the leader on the remaining questions; `unusable`: it cannot be asked. Undefined: it was asked all questions.
   */
  stopped?: "worse" | "behind" | "unusable";
}

export interface RaceOptions<Candidate> {
  candidates: readonly Candidate[];
  /** The number of questions. */
  count: number;
  /** The number of questions in a block, one of each kind. Candidates are stopped only after whole blocks. */
  block: number;
  /** Whether candidates that cannot win are stopped. */
  stopEarly: boolean;
  /** The most candidates that may join later. */
  reserve?: number;
  /** Asks the candidate these questions, by number. Resolves with which are right; `undefined` if it is unusable. */
  ask(candidate: Candidate, questions: readonly number[]): Promise<readonly boolean[] | undefined>;
  /** Candidates suggested by the answers so far. Called after each block. */
  join?(standings: readonly Standing<Candidate>[]): readonly Candidate[];
  /** Whether its answers may stop other candidates. Default: they may. */
  competes?(candidate: Candidate): boolean;
  /** Whether it may win with fewer right answers, so that it is not stopped as `behind`. */
  mayWinBehind?(candidate: Candidate): boolean;
  /** Called when a candidate is stopped. */
  onStop?(standing: Standing<Candidate>): void;
}

/**
 * Asks all candidates the same questions, block by block, and stops those that cannot win.
 *
 * - `worse`: another candidate is shown to be right more often. The {@link evidence} against a candidate is the mean of
 *   that for each of the K - 1 others (1 for those that may still join); it is stopped at 20. So the candidate that is
 *   right most often is stopped in at most 5 of 100 probes, however often one looks: against it each of these bets is
 *   fair or worse, and so is their mean. This holds for any dependence between two candidates' answers to one question,
 *   since each bet is on their difference. The kinds of questions alternate, so a single bet need not be fair; the bets
 *   of a whole block together are (by the inequality of the arithmetic and the geometric mean), so the evidence is
 *   evaluated only after whole blocks.
 * - `behind`: with all remaining questions right, it would still have fewer than the leader. This never changes who
 *   wins.
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
    // All verdicts use the same state: a candidate that is stopped here still counts against the others.
    const verdicts = running.map((standing) => verdict(standing, running, count - asked));
    for (const [i, standing] of running.entries()) {
      const stopped = verdicts[i];
      if (stopped === undefined) continue;
      standing.stopped = stopped;
      onStop?.(standing);
    }
  }
  // After the last question, stopping saves nothing, but a candidate that is shown to be worse is reported.
  const worse = standings.filter((standing) => !standing.stopped && isShownWorse(standing));
  for (const standing of worse) standing.stopped = "worse";
  return standings;
}

/** The evidence that shows that a candidate is worse. */
const ENOUGH = 1 / LEVEL;

/** The fraction of an interval's error that is reserved for candidates stopped early. */
const EARLY = 0.2;

/**
 * How often the interval of a candidate may miss its true share, so that all intervals of a probe hold in 95 of 100
 * although the answers decide when a candidate is stopped. The 5 % are divided among the points at which it may end: a
 * fifth, in equal parts, for those before the end, the rest for the end.
 *
 * @param asked how many questions the candidate was asked
 * @example intervalError({ count: 20, block: 4, stopEarly: true }, 20); // 0.04…
 */
export function intervalError(
  plan: Pick<RaceOptions<unknown>, "count" | "block" | "stopEarly">,
  asked: number,
): number {
  const looks = earlyLooks(plan);
  if (looks === 0) return LEVEL;
  return asked >= plan.count ? (1 - EARLY) * LEVEL : (EARLY * LEVEL) / looks;
}

/** The number of blocks before the last after which a candidate could be stopped. */
function earlyLooks(plan: Parameters<typeof intervalError>[0]): number {
  const { count, block, stopEarly } = plan;
  let looks = 0;
  for (let asked = block; stopEarly && asked < count; asked += block)
    if (evidence(asked, 0) >= ENOUGH || count - asked < asked) looks++;
  return looks;
}

const rightOf = ({ answers }: Standing<unknown>) => answers.filter(Boolean).length;

/**
 * How many questions of whole blocks only the one answered correctly (`won`), or only the other (`lost`), of those that
 * both were asked.
 */
function compared(one: Standing<unknown>, other: Standing<unknown>, block: number): { won: number; lost: number } {
  const from = Math.max(one.since, other.since);
  const shared = Math.min(one.answers.length, other.answers.length);
  const questions = Array.from({ length: shared - (shared % block) }, (_, i) => i).slice(from);
  return {
    won: questions.filter((i) => one.answers[i] && !other.answers[i]).length,
    lost: questions.filter((i) => !one.answers[i] && other.answers[i]).length,
  };
}
