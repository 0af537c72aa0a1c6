import type { Answer } from "./answer.js";
import type { Candidate } from "./candidates.js";
import { type Question, type QuestionKind, questionKinds } from "./questions/question.js";
import type { Standing } from "./race.js";
import { type Interval, wilson } from "./statistics.js";

/** A number of successes and the number of questions. */
export interface Share {
  asked: number;
  count: number;
}

/** The result of one candidate. */
export interface CandidateResult {
  candidate: Candidate;
  /** Why it was stopped; see `race`. */
  stopped?: NonNullable<Standing<Candidate>["stopped"]>;
  /** Why it is unusable, in the server's own message. */
  why?: string;
  right: Share;
  /** The 95 % confidence interval of the share of right answers, valid even if the candidate was stopped early. */
  interval: Interval;
  /** Right answers to questions that need a call, and their interval. */
  calls: Share & { interval: Interval };
  /** How many of these have only valid calls. */
  valid: Share;
  kinds: Partial<Record<QuestionKind, Share>>;
  /** The number of answers with each fault. */
  faults: Record<string, number>;
  /** The mean per answer. `estimated`: the server did not report all of them. */
  tokens: { in: number; out: number; estimated: boolean };
  /** The median time of an answer. */
  ms: number;
  /** The number of replies that the token limit truncated. */
  cut: number;
}

/** Summarizes the answers of a candidate. `error`: how often its intervals may miss; see `intervalError`. */
export function resultOf(
  { candidate, stopped }: Standing<Candidate>,
  answers: readonly Answer[],
  { questions, error, why }: { questions: readonly Question[]; error: number; why?: string | undefined },
): CandidateResult {
  const asked = answers.flatMap((answer, i) => {
    const question = questions[i];
    return question ? [{ answer, question }] : [];
  });
  const shareOf = (list: typeof asked, counts: (answer: Answer) => boolean): Share => ({
    asked: list.length,
    count: list.filter(({ answer }) => counts(answer)).length,
  });
  const isRight = ({ right }: Answer) => right;
  const needCalls = asked.filter(({ question }) => question.calls.length > 0);
  const right = shareOf(asked, isRight);
  const calls = shareOf(needCalls, isRight);
  const counted = asked.filter(({ answer }) => answer.fault !== "failed").map(({ answer }) => answer);
  const byKind = questionKinds.map((kind) => [kind, asked.filter(({ question }) => question.kind === kind)] as const);
  return {
    candidate,
    ...(stopped && { stopped }),
    ...(why !== undefined && { why }),
    right,
    interval: wilson(right.count, right.asked, error),
    calls: { ...calls, interval: wilson(calls.count, calls.asked, error) },
    valid: shareOf(needCalls, ({ valid }) => valid),
    kinds: Object.fromEntries(
      byKind.flatMap(([kind, list]) => (list.length > 0 ? [[kind, shareOf(list, isRight)]] : [])),
    ),
    faults: countsOf(asked.flatMap(({ answer }) => answer.fault ?? [])),
    tokens: {
      in: mean(counted.map(({ tokensIn }) => tokensIn)),
      out: mean(counted.map(({ tokensOut }) => tokensOut)),
      estimated: counted.some(({ estimated }) => estimated === true),
    },
    ms: median(counted.map(({ ms }) => ms)),
    cut: asked.filter(({ answer }) => answer.cut).length,
  };
}

function countsOf(words: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, one], [, other]) => other - one));
}

const mean = (list: readonly number[]) =>
  list.length === 0 ? 0 : Math.round(list.reduce((sum, one) => sum + one, 0) / list.length);

function median(list: readonly number[]): number {
  const sorted = [...list].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const above = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? above : Math.round(((sorted[middle - 1] ?? 0) + above) / 2);
}
