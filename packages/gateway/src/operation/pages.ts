import { cors } from "hono/cors";
import { Failure } from "../failure.js";
import type { Middleware } from "./context.js";

/**
 * The origins of pages on this machine and of desktop applications. No site on the web can have one of them; `null`, which it
 * can have, is not among them.
 */
const LOCAL =
  /^(?:https?:\/\/(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?|(?:app|capacitor|file|tauri|vscode-file|vscode-webview):\/\/[^\s]*)$/;

/** What a script in a page may read of an answer's headers. */
const exposed = [
  "request-id",
  "x-request-id",
  "retry-after",
  ...["limit", "remaining", "reset"].map((what) => `x-ratelimit-${what}-requests`),
];

/** Whether a page of this origin may ask, by the configuration's `server.origins`. */
const isAllowed = (origin: string, origins: readonly string[]): boolean =>
  LOCAL.test(origin) || origins.includes("*") || origins.includes(origin);

const shared = cors({
  origin: (origin, c) => (isAllowed(origin, c.get("setup").origins) ? origin : null),
  exposeHeaders: exposed,
  maxAge: 600,
});

/**
 * Answers pages in a browser: those of this machine, and of the configured origins. Where there are no keys, which a page of
 * another site would have to know, requests of others are refused: any site that somebody visits could ask otherwise.
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
 * Whether a request's `Host` is a name under which this machine is known to itself, or that of a configured origin. A name that
 * a site has pointed here (DNS rebinding) is neither.
 */
export function isKnownHost(host: string, origins: readonly string[]): boolean {
  const url = `http://${host}`;
  return (
    LOCAL.test(url) ||
    origins.includes("*") ||
    origins.some((origin) => URL.canParse(origin) && new URL(origin).host === host)
  );
}
