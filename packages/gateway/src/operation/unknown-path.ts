import { nearestNames } from "@toolingua/core/adapters";
import { Failure } from "../failure.js";

/** The paths of the APIs, and their methods. */
const PATHS: Readonly<Record<string, "GET" | "POST">> = {
  "/v1/chat/completions": "POST",
  "/v1/responses": "POST",
  "/v1/messages": "POST",
  "/v1/messages/count_tokens": "POST",
  "/v1/models": "GET",
  "/healthz": "GET",
  "/readyz": "GET",
  "/metrics": "GET",
};

/** The failure of a request for a path that the gateway does not have, with the one that was probably meant. */
export function nothingAt(method: string, path: string): Failure {
  const meant = pathMeant(path.replace(/\/+$/, ""));
  const hint = meant === undefined ? "" : ` Did you mean ${PATHS[meant]} ${meant}?`;
  return new Failure("not-found", `There is nothing at ${method} ${path.slice(0, 200)}.${hint}`, { code: "not_found" });
}

/** Most wrong paths come from a base URL that lacks `/v1`, or has more than it. */
function pathMeant(path: string): string | undefined {
  const paths = Object.keys(PATHS);
  return paths.find((one) => path.endsWith(one.replace("/v1/", "/"))) ?? nearestNames(path, paths).meant;
}
