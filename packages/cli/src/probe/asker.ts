import { EndpointError } from "@toolingua/endpoints";
import { CliError, codeOf, shownMessage } from "../terminal/errors.js";
import { printable } from "../terminal/printable.js";
import { type Answer, answerOf, type Subject } from "./answer.js";
import type { Candidate } from "./candidates.js";
import type { Question } from "./questions/question.js";
import type { ProbeState } from "./state.js";

/** After this many failures in a row, of any candidates, the server counts as broken. */
const FAILURES = 8;

interface AskerOptions {
  subject: Subject;
  questions: readonly Question[];
  state?: ProbeState | undefined;
  /** How many questions are asked concurrently. */
  concurrency: number;
  signal: AbortSignal;
  /** Called for each answer, new or from an earlier run (`kept`). */
  onAnswer?: ((candidate: Candidate, answer: Answer, kept: boolean) => void) | undefined;
}

/**
 * Asks a candidate questions, and stores the answers. As long as the server answers other questions, a failure counts
 * as a wrong answer. It is not stored, so the next run asks again.
 */
export class Asker {
  /** The answers, by candidate and question. */
  readonly answers = new Map<string, Answer[]>();
  /** Why a candidate is unusable. */
  readonly unusable = new Map<string, string>();
  readonly #options: AskerOptions;
  /** The number of failures since the last answer. */
  #failures = 0;
  #answered = false;

  constructor(options: AskerOptions) {
    this.#options = options;
  }

  /**
   * Which of the questions (by number) the candidate answers correctly; `undefined` if it is unusable: the server
   * rejects the request, or fails at each.
   *
   * Errors: those that concern every candidate: no connection, a rejected key, nothing but failures.
   */
  async ask(candidate: Candidate, numbers: readonly number[]): Promise<boolean[] | undefined> {
    const { concurrency } = this.#options;
    const all = this.answers.get(candidate.id) ?? [];
    this.answers.set(candidate.id, all);
    const waiting = [...numbers];
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        all[next] = await this.#answer(candidate, next);
    };
    const done = await Promise.allSettled(Array.from({ length: Math.min(concurrency, numbers.length) }, work));
    for (const result of done) {
      if (result.status === "fulfilled") continue;
      if (!(result.reason instanceof Refused)) throw result.reason;
      this.#giveUp(candidate, result.reason.message);
      return undefined;
    }
    const given = numbers.flatMap((number) => all[number] ?? []);
    if (given.length > 0 && given.length === all.length && given.every(({ fault }) => fault === "failed")) {
      const [{ error = "" } = {}] = given;
      this.#giveUp(candidate, error);
      return undefined;
    }
    return given.map(({ right }) => right);
  }

  #giveUp(candidate: Candidate, why: string): void {
    // The server's message must not control the terminal.
    this.unusable.set(candidate.id, printable(why));
    this.answers.delete(candidate.id);
  }

  async #answer(candidate: Candidate, number: number): Promise<Answer> {
    const { subject, questions, state, signal, onAnswer } = this.#options;
    const question = questions[number];
    if (!question) throw new RangeError(`There is no question ${number}.`);
    const before = state?.answer(candidate.id, question.id);
    if (before) {
      this.#answered = true;
      onAnswer?.(candidate, before, true);
      return before;
    }
    const started = performance.now();
    try {
      const answer = await answerOf(subject, candidate, question, signal);
      this.#answered = true;
      this.#failures = 0;
      await state?.keep(candidate.id, question.id, answer);
      onAnswer?.(candidate, answer, false);
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      const message = this.#failure(error);
      const ms = Math.round(performance.now() - started);
      const answer: Answer = {
        right: false,
        fault: "failed",
        error: message,
        valid: false,
        tokensIn: 0,
        tokensOut: 0,
        estimated: true,
        ms,
      };
      onAnswer?.(candidate, answer, false);
      return answer;
    }
  }

  /** The message of a failure that counts as a wrong answer. Errors: any other failure. */
  #failure(error: unknown): string {
    const message = shownMessage(error);
    if (!isOfAnswer(error)) throw error;
    if (error instanceof EndpointError && (error.code === "unsupported" || isRefusal(error.status)))
      throw new Refused(message);
    this.#failures++;
    if (this.#failures < (this.#answered ? FAILURES : FAILURES / 2)) return message;
    const also = this.#answered ? "" : " (no question was answered so far)";
    throw new CliError(
      "failed",
      `The server failed ${this.#failures} times in a row${also}. The last time: ${message}`,
      {
        cause: error,
      },
    );
  }
}

/** The server rejects this kind of request entirely. */
class Refused extends Error {}

const isRefusal = (status: number | undefined) => status === 400 || status === 422 || status === 501;

/** Statuses that concern the account or the URL, not the request. */
const accountStatuses: readonly number[] = [401, 402, 403, 404, 407, 429];

/** Whether a failure may concern only this answer. */
function isOfAnswer(error: unknown): boolean {
  if (!(error instanceof EndpointError)) return codeOf(error) === "context-overflow";
  if (error.code === "connect" || error.code === "connect-timeout" || error.code === "api-key") return false;
  return !(error.code === "http" && accountStatuses.includes(error.status ?? 0));
}
