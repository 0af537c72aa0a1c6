import type { ProtocolName } from "@toolingua/core";
import type { Answer, Subject } from "./answer.js";
import { Asker } from "./asker.js";
import { type Candidate, candidatesFor } from "./candidates.js";
import { type Question, questionKinds } from "./questions/question.js";
import { intervalError, race, type Standing } from "./race.js";
import { type CandidateResult, resultOf } from "./results.js";
import { spokenFormat, type UnaskedFormat, unaskedFormats, type WrittenReply } from "./spoken-format.js";
import type { ProbeState } from "./state.js";

/** How many formats that the model writes unasked may become candidates. */
const JOINING = 2;

/** How many replies in an unrequested format make it a candidate. */
const UNASKED = 2;

interface ProbeSetup {
  subject: Subject;
  candidates: readonly Candidate[];
  questions: readonly Question[];
  stopEarly: boolean;
  /** Whether formats that the model writes unasked become candidates. */
  discover: boolean;
  concurrency: number;
  state?: ProbeState | undefined;
  signal: AbortSignal;
  watch?: ProbeWatcher;
}

/** Observes a probe. */
export interface ProbeWatcher {
  answered?(candidate: Candidate, answer: Answer, kept: boolean): void;
  stopped?(result: CandidateResult): void;
  joined?(candidates: readonly Candidate[]): void;
}

/** The result of a probe. */
export interface ProbeResult {
  /** The candidates, in the order in which they were asked. */
  candidates: CandidateResult[];
  /** Formats of replies to requests for another format, the most frequent first. */
  unasked: UnaskedFormat[];
  /** The format that the model writes whatever it is asked for. */
  spoken?: ProtocolName;
}

/**
 * Asks the questions in the format of each candidate.
 *
 * Errors: see `Asker.ask`; the signal's reason. `state` then has the answers so far.
 *
 * @example const { candidates } = await probe({ subject, candidates, questions: questions(20), stopEarly: true, … });
 */
export async function probe(options: ProbeSetup): Promise<ProbeResult> {
  const { subject, questions, stopEarly, discover, watch, state, concurrency, signal } = options;
  const asker = new Asker({ ...{ subject, questions, state, concurrency, signal }, onAnswer: watch?.answered });
  const kinds = new Set(questions.map(({ kind }) => kind));
  const plan = {
    candidates: options.candidates,
    count: questions.length,
    block: questionKinds.filter((kind) => kinds.has(kind)).length,
    stopEarly,
    // Unconstrained and constrained.
    reserve: discover ? 2 * JOINING : 0,
  };
  const result = (standing: Standing<Candidate>): CandidateResult =>
    resultOf(standing, asker.answers.get(standing.candidate.id) ?? [], {
      ...{ questions, error: intervalError(plan, standing.answers.length) },
      why: asker.unusable.get(standing.candidate.id),
    });
  /** The formats of the calls of unconstrained candidates. */
  const written = (standings: readonly Standing<Candidate>[]): WrittenReply[] =>
    standings.flatMap(({ candidate: { id, protocol, constrained } }) =>
      constrained || !protocol
        ? []
        : (asker.answers.get(id) ?? []).flatMap(({ wrote }) => (wrote ? [{ asked: protocol, wrote }] : [])),
    );
  let joined = 0;
  let all: readonly Standing<Candidate>[] = [];
  const standings = await race<Candidate>({
    ...plan,
    ask: (candidate, numbers) => asker.ask(candidate, numbers),
    join: (running) => {
      all = running;
      if (!discover || joined >= JOINING) return [];
      const known = new Set(running.flatMap(({ candidate }) => candidate.protocol ?? []));
      const found = unaskedFormats(written(running))
        .filter(({ protocol, replies }) => replies >= UNASKED && !known.has(protocol))
        .slice(0, JOINING - joined)
        .map(({ protocol }) => protocol);
      joined += found.length;
      const candidates = candidatesFor(found, subject.setting);
      if (candidates.length > 0) watch?.joined?.(candidates);
      return candidates;
    },
    // The server's own tools are not a format: they must not eliminate the better formats.
    competes: ({ protocol }) => protocol !== undefined,
    mayWinBehind: ({ protocol }) => protocol !== undefined && protocol === spokenFormat(written(all)),
    onStop: (standing) => watch?.stopped?.(result(standing)),
  });
  const unasked = unaskedFormats(written(standings));
  const spoken = spokenFormat(written(standings));
  return { candidates: standings.map(result), unasked, ...(spoken && { spoken }) };
}
