import { nearestNames } from "@toolingua/core/adapters";
import type { RouterRoute } from "hono/types";
import { Failure } from "../failure.js";

/** A method and a path that are answered. */
type Route = Pick<RouterRoute, "method" | "path">;

/** A route of one path, and not of several, of middleware, or of a base URL that has `/v1` twice. */
const isOnePath = ({ method, path }: Route) => method !== "ALL" && /^\/(?!v1\/v1\/)[^:*]+$/.test(path);

/** The failure of a request for a path that is none of the gateway's routes, with the one that was probably meant. */
export function nothingAt(method: string, path: string, routes: readonly Route[]): Failure {
  const meant = routeMeant(path.replace(/\/+$/, ""), routes.filter(isOnePath));
  const hint = meant === undefined ? MODELS_AT : `Did you mean ${meant.method} ${meant.path}?`;
  return new Failure("not-found", `There is nothing at ${method} ${path.slice(0, 200)}. ${hint}`, {
    code: "not_found",
  });
}

/** For clients of an API that is not served, such as Ollama's or Gemini's. */
const MODELS_AT = "Models are asked at POST /v1/chat/completions, POST /v1/responses and POST /v1/messages.";

/** Most wrong paths come from a base URL that lacks `/v1`, or has more than it. */
function routeMeant(path: string, routes: readonly Route[]): Route | undefined {
  const ending = routes.find((route) => path.endsWith(route.path.replace("/v1/", "/")));
  if (ending) return ending;
  const { meant } = nearestNames(path, [...new Set(routes.map((route) => route.path))]);
  return routes.find((route) => route.path === meant);
}
