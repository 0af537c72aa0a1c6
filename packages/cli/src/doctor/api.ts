import type { Check } from "./check.js";
import type { ApiName } from "./clients.js";
import type { Reply } from "./reply.js";
import type { Scenario } from "./scenarios.js";
import type { Exchange } from "./wire/exchange.js";

/** What requests are made with. */
export interface Settings {
  model: string;
  /** At most so many tokens of an answer. */
  maxTokens: number;
}

/** A request that is sent as it is. */
export interface Request {
  name: string;
  /** A text is sent as it is: it may be no JSON. */
  body: object | string;
  headers?: Record<string, string>;
  /** After the API's own path: `?beta=true`. */
  suffix?: string;
}

/** One of the APIs: how it is asked, how its answers are read, and what is looked at. */
export interface Api {
  name: ApiName;
  title: string;
  /** After the base address: `/chat/completions`. */
  path: string;
  headers(key: string | undefined): Record<string, string>;
  body(scenario: Scenario, settings: Settings): object;
  /** Reads an answer as leniently as possible. */
  read(scenario: Scenario, exchange: Exchange): Reply;
  /** Whether this text of a stream shows that the model writes. */
  isText(json: unknown): boolean;
  /** Requests as certain clients send them, which must be taken. */
  shapes(settings: Settings): Request[];
  /** Requests that must be refused. */
  wrong(settings: Settings): Request[];
  checks: Check[];
}
