import { shallowJson } from "@toolingua/core/adapters";
import { quoted } from "../json.js";
import type { Scenario } from "./scenarios.js";
import type { Exchange } from "./wire/exchange.js";

/** A call in an answer, as far as it is readable. */
export interface Call {
  id: string | undefined;
  name: string | undefined;
  /** All deltas concatenated; for Messages, the input as JSON. */
  arguments: string;
}

/** An answer to a scenario, read as leniently as possible: the checks judge it. */
export interface Reply {
  scenario: Scenario;
  exchange: Exchange;
  text: string;
  calls: Call[];
  /** The finish reason, in the API's own term. */
  finish: string | undefined;
  /** Whether the token limit truncated it: its last call may then be incomplete. */
  isCut: boolean;
  /** An error within the answer, as received. */
  failure: unknown;
}

/** Whether the answer is complete: no error, no broken connection. */
export const isAnswer = ({ exchange, failure }: Reply): boolean =>
  exchange.status >= 200 && exchange.status < 300 && exchange.ending === "complete" && failure === undefined;

/**
 * The problem of an answer without a part.
 *
 * @example lacks("message", exchange); // "there is no message: {…}", or "the answer is not JSON: …"
 */
export const lacks = (part: string, { text }: Exchange): string =>
  `${shallowJson(text) === undefined ? "the answer is not JSON" : `there is no ${part}`}: ${quoted(text)}`;

/** The name of an answer in a sentence. */
export const named = ({ scenario }: Reply): string => `"${scenario.name}"`;
