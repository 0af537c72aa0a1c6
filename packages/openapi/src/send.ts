import { OpenApiCallError } from "./errors.js";
import { redirectOf } from "./redirects.js";
import type { ApiRequest } from "./request.js";
import { withoutSecrets } from "./shown-place.js";

/**
 * Sends a request, and follows redirects like `fetch`, but only within the same origin: `fetch` itself would send the
 * caller's keys, in custom headers, to another origin.
 *
 * Errors: `OpenApiCallError` (`http-status`) for a redirect to another origin; those of `fetch`.
 *
 * @example const response = await send(request, fetch, AbortSignal.timeout(1000));
 */
export async function send(request: ApiRequest, fetched: typeof fetch, signal: AbortSignal): Promise<Response> {
  let { method, url, body } = request;
  const headers = new Headers(request.headers);
  for (let step = 0; ; step++) {
    const sent = { method, headers, signal, redirect: "manual" as const, ...(body !== undefined && { body }) };
    const response = await fetched(url, sent);
    const { status } = response;
    const location = redirectOf(response, step);
    if (location === undefined) return response;
    await response.body?.cancel();
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (next === undefined || next.origin !== url.origin) {
      const where = next
        ? `another origin, ${next.origin === "null" ? next.protocol : next.origin}`
        : `an invalid URL, ${JSON.stringify(withoutSecrets(location))}`;
      const message = `${method} ${url.pathname} answered ${status}, a redirect to ${where}. It is not followed.`;
      throw new OpenApiCallError("http-status", message, { status });
    }
    url = next;
    // As in `fetch`: a form that was accepted is not sent again.
    if (status === 303 ? method !== "HEAD" : status < 303 && method === "POST") {
      method = "GET";
      body = undefined;
      headers.delete("content-type");
    }
  }
}
