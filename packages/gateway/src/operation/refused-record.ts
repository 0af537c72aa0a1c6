import type { Failure } from "../failure.js";
import type { GatewayContext } from "./context.js";
import { errorRecord } from "./error-record.js";
import { elapsedSince, type RequestRecord } from "./request-record.js";

/** Matches paths that are no text of a client. */
const PLAIN = /^[\w./~%:-]{1,200}$/;

/** The record of a refused request that is none to a model. */
export function refusedRecord(c: GatewayContext, failure: Failure): RequestRecord {
  const { method, path } = c.req;
  return {
    time: new Date().toISOString(),
    requestId: c.get("requestId"),
    api: "other",
    path: PLAIN.test(path) ? `${method} ${path}` : method,
    status: failure.status,
    ms: elapsedSince(c.get("begun")),
    error: errorRecord(failure, c.get("setup").withContent),
  };
}
