import type { Scenario } from "./scenarios.js";
import type { Exchange } from "./wire/exchange.js";

/** A call in an answer, as far as it can be made out. */
export interface Call {
  id: string | undefined;
  name: string | undefined;
  /** All deltas together; of Messages, the input as JSON. */
  arguments: string;
}

/** An answer to a scenario, read as leniently as possible: what is wrong with it is for the checks to say. */
export interface Reply {
  scenario: Scenario;
  exchange: Exchange;
  text: string;
  calls: Call[];
  /** Why it ended, in the API's own word. */
  finish: string | undefined;
  /** It was cut by the limit of tokens: its last call may be half a one. */
  isCut: boolean;
  /** An error in its middle, as it was written. */
  failure: unknown;
}

/** Whether there is a whole answer to look at: not an error, not cut off by the connection. */
export const isAnswer = ({ exchange, failure }: Reply): boolean =>
  exchange.status >= 200 && exchange.status < 300 && exchange.ending === "complete" && failure === undefined;

/** How an answer is called in a sentence. */
export const named = ({ scenario }: Reply): string => `"${scenario.name}"`;
