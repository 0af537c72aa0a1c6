import type { Status } from "./check.js";
import type { ApiName, ClientName } from "./clients.js";

/** What a check that is not passed means for a client. */
export interface Effect {
  client: ClientName;
  title: string;
  how: string;
}

/** One check and what it found. */
export interface Finding {
  id: string;
  api: ApiName | "server";
  title: string;
  status: Status;
  seen: string;
  specification: { says: string; source: string };
  /** The clients that break by it. */
  breaks: Effect[];
  /** The clients that work all the same, and what it costs them. */
  costs: Effect[];
}

/**
 * `works`; `limited`: by warnings, or at a cost; `breaks`: by faults; `not-served`: the API is not there; `unseen`: it reads calls, and
 * none were seen.
 */
export type ClientStatus = "works" | "limited" | "breaks" | "not-served" | "unseen";

/** How a client fares by one API. */
export interface ClientFinding {
  client: ClientName;
  title: string;
  api: ApiName;
  status: ClientStatus;
  /** The checks that decided, by their ids. */
  because: string[];
}

/** What was found at a server. */
export interface Report {
  /** What comes before `/chat/completions`. */
  url: string;
  model: string;
  apis: { api: ApiName; title: string; served: boolean; calls: number }[];
  clients: ClientFinding[];
  checks: Finding[];
  counts: Record<Status, number>;
  requests: number;
  /** In ms. */
  duration: number;
}
