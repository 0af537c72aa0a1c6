import { type Progress as Bar, progress } from "../terminal/progress.js";
import type { Terminal } from "../terminal/terminal.js";
import type { Answer } from "./answer.js";
import type { Candidate } from "./candidates.js";
import type { ProbeWatcher } from "./probe.js";
import type { CandidateResult } from "./results.js";

/** The interval of progress lines without a terminal, in ms. */
const EVERY = 10_000;

/** The remaining work of one candidate, and its time so far. */
interface Work {
  left: number;
  asked: number;
  ms: number;
}

/**
 * Shows the progress of a probe and an estimate of the remaining time: a bar in a terminal, else a line at intervals.
 * The remaining work is counted by candidate, as some are slower than others and stopped ones have none left.
 */
export class Progress implements ProbeWatcher {
  readonly #terminal: Terminal;
  readonly #count: number;
  readonly #work = new Map<string, Work>();
  readonly #concurrency: number;
  readonly #bar: Bar;
  #lastLine = performance.now();

  constructor(terminal: Terminal, candidates: readonly Candidate[], count: number, concurrency: number) {
    this.#terminal = terminal;
    this.#count = count;
    this.#concurrency = concurrency;
    for (const candidate of candidates) this.#add(candidate);
    this.#bar = progress(terminal, this.#total(), "{bar} {value} of {total} answers, {note}");
    this.#bar.update(0, "some time left");
  }

  answered = (candidate: Candidate, { ms }: Answer, kept: boolean): void => {
    const work = this.#work.get(candidate.id) ?? this.#add(candidate);
    work.left = Math.max(0, work.left - 1);
    work.asked++;
    work.ms += ms;
    this.#bar.setTotal(this.#total());
    this.#bar.update(this.#done(), `${this.left()} left: ${candidate.id}`);
    if (!this.#bar.isShown && !kept && performance.now() - this.#lastLine > EVERY) {
      this.#lastLine = performance.now();
      this.#terminal.note(`${this.#done()} of ${this.#total()} answers, ${this.left()} left`);
    }
  };

  stopped = ({ candidate, stopped, why, right }: CandidateResult): void => {
    const work = this.#work.get(candidate.id);
    if (work) work.left = 0;
    const reasons = {
      worse: `stopped after ${right.asked} questions: another is better`,
      behind: `stopped after ${right.asked} questions: cannot catch up any more`,
      unusable: `cannot be asked: ${why ?? "it failed"}`,
    };
    if (stopped) this.#bar.print(`${candidate.id}: ${reasons[stopped]}`);
  };

  joined = (candidates: readonly Candidate[]): void => {
    for (const candidate of candidates) this.#add(candidate);
    const [{ protocol = "" } = {}] = candidates;
    this.#bar.print(`The model writes ${protocol} unasked: it is asked for it, too.`);
  };

  /** The estimated remaining time, for display. */
  left(): string {
    const all = [...this.#work.values()];
    const sum = (of: (work: Work) => number) => all.reduce((total, work) => total + of(work), 0);
    const asked = sum((work) => work.asked);
    if (asked === 0) return "some time";
    const mean = sum(({ ms }) => ms) / asked;
    return duration(sum(({ left, asked, ms }) => left * (asked > 0 ? ms / asked : mean)) / this.#concurrency);
  }

  end(): void {
    this.#bar.stop();
  }

  #add(candidate: Candidate): Work {
    const work = { left: this.#count, asked: 0, ms: 0 };
    this.#work.set(candidate.id, work);
    return work;
  }

  #done = () => [...this.#work.values()].reduce((sum, { asked }) => sum + asked, 0);

  #total = () => [...this.#work.values()].reduce((sum, { asked, left }) => sum + asked + left, 0);
}

/** A duration in ms, for display: "40 s", "3 min", "1 h 20 min". */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? "" : ` ${rest} min`}`;
}
