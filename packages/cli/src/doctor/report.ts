import type { Status } from "./check.js";
import type { ApiName, ClientName } from "./clients.js";

/** The effect of a failed check on a client. */
export interface Effect {
  client: ClientName;
  title: string;
  how: string;
}

/** One check and its result. */
export interface Finding {
  id: string;
  api: ApiName | "server";
  title: string;
  status: Status;
  seen: string;
  specification: { says: string; source: string };
  /** The clients that break. */
  breaks: Effect[];
  /** The clients that still work, and at what cost. */
  costs: Effect[];
}

/**
 * `works`; `limited`: by warnings, or at a cost; `breaks`: by faults; `not-served`: the server lacks the API; `unseen`:
 * the client reads calls, and none were seen.
 */
export type ClientStatus = "works" | "limited" | "breaks" | "not-served" | "unseen";

/** The result of a client with one API. */
export interface ClientFinding {
  client: ClientName;
  title: string;
  api: ApiName;
  status: ClientStatus;
  /** The ids of the checks that decided. */
  because: string[];
}

/** The report on a server. */
export interface Report {
  /** The base URL, up to but without `/chat/completions`. */
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
