import { cors } from "hono/cors";
import { Failure } from "../failure.js";
import type { Middleware } from "./context.js";

/**
 * Origins of pages on this machine and of desktop applications. No web site can have one of them. `null` is excluded,
 * because a web site can have it.
 */
const LOCAL =
  /^(?:https?:\/\/(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?|(?:app|capacitor|file|tauri|vscode-file|vscode-webview):\/\/[^\s]*)$/;

/** Response headers that scripts in a page may read. */
const exposed = [
  "request-id",
  "x-request-id",
  "retry-after",
  ...["limit", "remaining", "reset"].map((what) => `x-ratelimit-${what}-requests`),
];

/** Whether `server.origins` allows pages of this origin. */
const isAllowed = (origin: string, origins: readonly string[]): boolean =>
  LOCAL.test(origin) || origins.includes("*") || origins.includes(origin);

const shared = cors({
  origin: (origin, c) => (isAllowed(origin, c.get("setup").origins) ? origin : null),
  exposeHeaders: exposed,
  maxAge: 600,
});

/**
 * CORS for pages of this machine and of the configured origins. Without keys, requests from other pages are refused:
 * any site that the user visits could otherwise use the gateway.
 *
 * Errors: {@link Failure} `forbidden`.
 */
export const pages: Middleware = (c, next) => {
  const origin = c.req.header("origin");
  if (origin === undefined) return next();
  const { keys, origins } = c.get("setup");
  if (keys.areNeeded || isAllowed(origin, origins)) return shared(c, next);
  throw new Failure(
    "forbidden",
    `Pages of ${origin.slice(0, 200)} may not ask here. Add the origin to \`server.origins\`, or configure \`server.keys\`.`,
    { code: "forbidden_origin" },
  );
};

/**
 * Whether a request's `Host` is a name of this machine or of a configured origin. A foreign name that resolves to this
 * machine (DNS rebinding) is neither.
 */
export function isKnownHost(host: string, origins: readonly string[]): boolean {
  const url = `http://${host}`;
  return (
    LOCAL.test(url) ||
    origins.includes("*") ||
    origins.some((origin) => URL.canParse(origin) && new URL(origin).host === host)
  );
}
