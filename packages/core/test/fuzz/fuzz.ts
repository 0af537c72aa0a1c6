import type { ProtocolName } from "../../src/index.js";
import { Random } from "./random.js";
import { ReplyMaker } from "./reply.js";
import { scenariosOf } from "./scenarios.js";
import { type Subject, subjects } from "./subjects.js";

export interface FuzzOptions {
  /** The same seed makes the same replies. */
  seed: number;
  /** The number of the first run; to see one run again. Default 0. */
  from?: number;
  runs: number;
  /** No run begins after this number of seconds. */
  seconds?: number;
  /** Only this wire format. */
  protocol?: ProtocolName;
  /** Only laws whose names contain this. */
  property?: string;
  /** Failures of one law that are shrunk and reported. Default 5. */
  reported?: number;
  /** Hears how many runs are done, now and then. */
  onProgress?(runs: number, failures: number): void;
  /** Hears of each reported failure at once. */
  onFailure?(failure: Failure): void;
}

/** A broken law, and the smallest subject that breaks it. */
export interface Failure {
  law: string;
  run: number;
  message: string;
  code: string;
}

export interface Count {
  checked: number;
  failed: number;
}

export interface FuzzReport {
  runs: number;
  seconds: number;
  laws: Map<string, Count>;
  mutations: Map<string, Count>;
  failures: Failure[];
}

/** The most attempts at a smaller subject. */
const ATTEMPTS = 3000;
/** Runs between two reports of progress. */
const STEP = 10_000;

/**
 * Tries the laws of the reply parser on random replies, every wire format of the registry among them.
 *
 * @example fuzz({ seed: 1, runs: 1000 }).failures; // []
 */
export function fuzz(options: FuzzOptions): FuzzReport {
  const { seed, from = 0, runs, seconds = Number.POSITIVE_INFINITY, property = "", reported = 5 } = options;
  const maker = new ReplyMaker(scenariosOf(seed), options.protocol);
  const chosen = subjects.map((subject) => ({
    subject,
    laws: Object.entries(subject.laws).filter(([name]) => name.includes(property)),
  }));
  const report: FuzzReport = { runs: 0, seconds: 0, laws: new Map(), mutations: new Map(), failures: [] };
  for (const { laws } of chosen) for (const [name] of laws) report.laws.set(name, { checked: 0, failed: 0 });
  const started = performance.now();
  for (let run = from; run < from + runs; run++) {
    report.seconds = (performance.now() - started) / 1000;
    if (report.seconds > seconds) break;
    for (const [kind, { subject, laws }] of chosen.entries()) {
      if (laws.length === 0 || run % subject.every !== 0) continue;
      const made = subject.make(new Random(seed, run, kind), maker);
      if (made === undefined) continue;
      let failed = false;
      for (const [name, law] of laws) {
        if (subject.seldom?.[name] !== undefined && run % subject.seldom[name] !== 0 && runs > 1) continue;
        const count = report.laws.get(name)!;
        count.checked++;
        const message = law(made);
        if (message === undefined) continue;
        failed = true;
        if (count.failed++ >= reported) continue;
        const failure = failureOf(subject, made, { name, law, run, message });
        report.failures.push(failure);
        options.onFailure?.(failure);
      }
      const applied = subject.applied(made);
      for (const name of applied.length === 0 ? ["unchanged"] : applied) tally(report.mutations, name, failed);
    }
    report.runs++;
    if (report.runs % STEP === 0) {
      options.onProgress?.(
        report.runs,
        [...report.laws.values()].reduce((sum, { failed }) => sum + failed, 0),
      );
    }
  }
  report.seconds = (performance.now() - started) / 1000;
  return report;
}

function tally(counts: Map<string, Count>, name: string, failed: boolean): void {
  const count = counts.get(name) ?? { checked: 0, failed: 0 };
  counts.set(name, { checked: count.checked + 1, failed: count.failed + Number(failed) });
}

interface Broken {
  name: string;
  law(subject: unknown): string | undefined;
  run: number;
  message: string;
}

/** A failure with the smallest subject that can be found: whatever can be left out is. */
function failureOf(subject: Subject<unknown>, made: unknown, { name, law, run, message }: Broken): Failure {
  let smallest = made;
  let why = message;
  let left = ATTEMPTS;
  for (let found = true; found && left > 0; ) {
    found = false;
    for (const candidate of subject.smaller(smallest)) {
      if (left-- <= 0) break;
      const message = law(candidate);
      if (message === undefined) continue;
      smallest = candidate;
      why = message;
      found = true;
      break;
    }
  }
  return { law: name, run, message: why, code: subject.code(smallest) };
}
