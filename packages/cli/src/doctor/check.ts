import { counted } from "../terminal/counted.js";
import type { ApiName, Breaks } from "./clients.js";
import { isAnswer, named, type Reply } from "./reply.js";
import type { Exchange } from "./wire/exchange.js";

/**
 * `pass`; `fault`: violates the specification, and clients break or lose data; `warning`: a deviation, or a behaviour
 * that may come from a weak model; `unseen`: no answer shows it.
 */
export type Status = "pass" | "fault" | "warning" | "unseen";

/** The result of a check. */
export interface Verdict {
  status: Status;
  /** The observation, as a sentence without its full stop. */
  seen: string;
}

/** A request in a client's own shape, or one that must be rejected, and its answer. */
export interface Asked {
  name: string;
  exchange: Exchange;
}

/** All observations of one API. */
export interface Evidence {
  api: ApiName;
  model: string;
  replies: readonly Reply[];
  /** Answers to requests as certain clients send them, by name. */
  shapes: readonly Asked[];
  /** Answers to invalid requests, by name. */
  wrong: readonly Asked[];
}

/** One check. */
export interface Check {
  /** A stable id: `chat.stream.index`. */
  id: string;
  title: string;
  /** The status of a failed check. */
  level: "fault" | "warning";
  /** What the specification requires, or what clients rely on. */
  says: string;
  source: string;
  /** The clients that break, and how. */
  breaks: Breaks;
  /** The clients that still work, and at what cost. */
  costs?: Breaks;
  judge(evidence: Evidence, level: Check["level"]): Verdict;
}

export const pass = (seen: string): Verdict => ({ status: "pass", seen });
export const unseen = (seen: string): Verdict => ({ status: "unseen", seen });

/** A check of each answer of a kind. */
interface OfReplies {
  /** Selects the answers that show it. Errors and incomplete answers are excluded beforehand. */
  of(reply: Reply): boolean;
  /** The problem of an answer, if any. */
  wrong(reply: Reply): string | undefined;
  /** What would have been needed to see it. */
  unseen: string;
}

/** Judges all answers of a kind: the first one with a problem decides. */
export const everyReply =
  ({ of, wrong, unseen: why }: OfReplies): Check["judge"] =>
  ({ replies }, level) => {
    const shown = replies.filter((reply) => isAnswer(reply) && of(reply));
    if (shown.length === 0) return unseen(why);
    const found = shown.flatMap((reply) => {
      const problem = wrong(reply);
      return problem === undefined ? [] : [`in ${named(reply)} ${problem}`];
    });
    const [first, ...more] = found;
    if (first === undefined) return pass(counted(shown.length, "answer"));
    return { status: level, seen: more.length > 0 ? `${first} (and in ${more.length} more)` : first };
  };

export const isWhole = ({ scenario }: Reply): boolean => !scenario.stream;
export const isStream = ({ scenario }: Reply): boolean => scenario.stream;
export const hasCalls = ({ calls }: Reply): boolean => calls.length > 0;
export const NO_STREAM = "no stream was read to its end";
export const NO_WHOLE = "no whole answer was read";
export const NO_CALL = "the model made no call";
