import type { RouterRoute } from "hono/types";
import type { Failure } from "../failure.js";
import type { GatewayContext } from "./context.js";
import { errorRecord } from "./error-record.js";
import { elapsedSince, type RequestRecord } from "./request-record.js";

/** The record of a refused request that is none to a model. */
export function refusedRecord(c: GatewayContext, failure: Failure, routes: readonly RouterRoute[]): RequestRecord {
  const { method, path } = c.req;
  return {
    time: new Date().toISOString(),
    requestId: c.get("requestId"),
    api: "other",
    path: `${method} ${maskedPath(path, routes)}`,
    status: failure.status,
    ms: elapsedSince(c.get("begun")),
    error: errorRecord(failure, c.get("setup").withContent),
  };
}

/** How many segments of a path are logged. */
const MOST = 16;

/** A path with `*` for each segment that no route has: it may be a secret, such as a key. */
function maskedPath(path: string, routes: readonly RouterRoute[]): string {
  const known = new Set(routes.flatMap((route) => route.path.split("/")));
  const segments = path.split("/").slice(1);
  const shown = segments.slice(0, MOST).map((segment) => `/${known.has(segment) ? segment : "*"}`);
  return shown.join("") + (segments.length > MOST ? "…" : "");
}
