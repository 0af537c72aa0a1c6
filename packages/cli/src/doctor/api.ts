import type { Check } from "./check.js";
import type { ApiName } from "./clients.js";
import type { Reply } from "./reply.js";
import type { Scenario } from "./scenarios.js";
import type { Exchange } from "./wire/exchange.js";

/** The settings of all requests. */
export interface Settings {
  model: string;
  /** The most tokens of an answer. */
  maxTokens: number;
}

/** A request. */
export interface Request {
  name: string;
  /** A string is sent as it is: it may be invalid JSON. */
  body: object | string;
  headers?: Record<string, string>;
  /** A suffix of the API's path: `?beta=true`. */
  suffix?: string;
}

/** One of the APIs: how to write its requests, read its answers, and check them. */
export interface Api {
  name: ApiName;
  title: string;
  /** The path after the base URL: `/chat/completions`. */
  path: string;
  headers(key: string | undefined): Record<string, string>;
  body(scenario: Scenario, settings: Settings): object;
  /** Reads an answer as leniently as possible. */
  read(scenario: Scenario, exchange: Exchange): Reply;
  /** Whether this event of a stream contains text of the model. */
  isText(json: unknown): boolean;
  /** Requests as certain clients send them, which a server must accept. */
  shapes(settings: Settings): Request[];
  /** Requests that a server must reject. */
  wrong(settings: Settings): Request[];
  checks: Check[];
}
