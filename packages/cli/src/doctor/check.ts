import type { ApiName, Breaks } from "./clients.js";
import { isAnswer, named, type Reply } from "./reply.js";
import type { Exchange } from "./wire/exchange.js";

/**
 * `pass`; `fault`: against the specification, and clients break or lose something; `warning`: it deviates, or cannot be told
 * from a weak model; `unseen`: nothing came that would show it.
 */
export type Status = "pass" | "fault" | "warning" | "unseen";

/** What a check found. */
export interface Verdict {
  status: Status;
  /** What was seen, as a sentence without its point. */
  seen: string;
}

/** A request in a client's own shape, or one that must be refused, and its answer. */
export interface Asked {
  name: string;
  exchange: Exchange;
}

/** All that was seen of one API. */
export interface Evidence {
  api: ApiName;
  model: string;
  replies: readonly Reply[];
  /** Answers to requests as certain clients send them, by name. */
  shapes: readonly Asked[];
  /** Answers to requests that are wrong, by name. */
  wrong: readonly Asked[];
}

/** One thing that is looked at. */
export interface Check {
  /** Stays the same: `chat.stream.index`. */
  id: string;
  title: string;
  /** What a failed check is. */
  level: "fault" | "warning";
  /** What the specification says, or what clients take for granted. */
  says: string;
  source: string;
  /** The clients that break, and how each does. */
  breaks: Breaks;
  /** The clients that work all the same, and what it costs them. */
  costs?: Breaks;
  judge(evidence: Evidence, level: Check["level"]): Verdict;
}

export const pass = (seen: string): Verdict => ({ status: "pass", seen });
export const unseen = (seen: string): Verdict => ({ status: "unseen", seen });

/** Looks at each answer of a kind. */
export interface OfReplies {
  /** The answers that show it. Those that are errors, or incomplete, are left out beforehand. */
  of(reply: Reply): boolean;
  /** What is wrong with one, if anything is. */
  wrong(reply: Reply): string | undefined;
  /** What there must have been. */
  unseen: string;
}

/** A judgement over all answers of a kind: the first that is wrong decides. */
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
    if (first === undefined) return pass(`${shown.length} answers`);
    return { status: level, seen: more.length > 0 ? `${first} (and in ${more.length} more)` : first };
  };

export const isWhole = ({ scenario }: Reply): boolean => !scenario.stream;
export const isStream = ({ scenario }: Reply): boolean => scenario.stream;
export const hasCalls = ({ calls }: Reply): boolean => calls.length > 0;
export const NO_STREAM = "no stream was read to its end";
export const NO_WHOLE = "no whole answer was read";
export const NO_CALL = "the model made no call";
