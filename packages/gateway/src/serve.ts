import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { openaiError } from "./apis/openai-errors.js";
import type { GatewayConfig } from "./config/schema.js";
import { GatewayConfigError } from "./errors.js";
import { Failure } from "./failure.js";
import { createGateway, type GatewayOptions } from "./gateway.js";
import { isKnownHost } from "./operation/pages.js";

/** A listening gateway. */
export interface RunningGateway {
  /** Its address: `http://127.0.0.1:8000`. */
  url: string;
  /** As {@link Gateway.reload}; the address does not change. */
  reload(config: GatewayConfig): void;
  /** Accepts no more connections, and ends as {@link Gateway.close}. */
  close(): Promise<void>;
}

/**
 * How long an idle connection is kept, in ms. Longer than load balancers keep theirs (60 s mostly), so that none of
 * them sends a request into a connection that is just being closed.
 */
const KEPT = 75_000;

/** While the server closes: the interval at which idle connections are closed, and the limit for all of it, in ms. */
const IDLE = 20;
const LAST = 1000;

/**
 * Serves a gateway over HTTP with Node.js, by default at http://127.0.0.1:8000. A gateway that listens on the loopback
 * interface only and has no keys answers only requests to this machine's own host names, against DNS rebinding.
 *
 * Errors: {@link GatewayConfigError} `bad-config`, also for a host that is none of this machine, and a port that is not allowed;
 * the error of `node:http` if the port is in use.
 *
 * @example
 * const { url, close } = await serve({ models: [{ name: "llama3", upstream: { baseURL: "http://localhost:11434/v1" } }] });
 * console.log(`toolingua listening on ${url}`);
 */
export async function serve(config: GatewayConfig, options?: GatewayOptions): Promise<RunningGateway> {
  const gateway = createGateway(config, options);
  const { host = "127.0.0.1", port = 8000 } = config.server ?? {};
  let current = config;
  const server = createServer(
    getRequestListener(async (request) =>
      isLocal && isRebound(request, current) ? unknownHost() : gateway.fetch(request),
    ),
  );
  server.keepAliveTimeout = KEPT;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  }).catch(async (cause: unknown) => {
    await gateway.close();
    throw whyNotListening(cause, host, port);
  });
  const { address, port: bound, family } = server.address() as AddressInfo;
  const isLocal = /^(?:127\.|::1$)/.test(address);

  let ending: Promise<void> | undefined;
  async function end(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await gateway.close();
    // The end of an answer may still be in transit.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE);
    const last = setTimeout(() => server.closeAllConnections(), LAST);
    await closed;
    clearInterval(idle);
    clearTimeout(last);
  }
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${bound}`,
    reload(changed) {
      gateway.reload(changed);
      current = changed;
    },
    close: () => {
      ending ??= end();
      return ending;
    },
  };
}

/** The lowest port that every user may take. */
const FIRST_FREE = 1024;

/** The error for an address on which the system does not let the gateway listen; other errors as they are. */
function whyNotListening(cause: unknown, host: string, port: number): unknown {
  const code = String((cause as { code?: unknown }).code);
  const wrong = (path: string, message: string) => new GatewayConfigError("bad-config", [{ path, message }], { cause });
  const given = `is ${JSON.stringify(host)}, `;
  const right = "127.0.0.1 for this machine only, 0.0.0.0 for its networks";
  switch (code) {
    case "EACCES":
      return wrong(
        "server.port",
        port < FIRST_FREE
          ? `is ${port}, which needs more rights (EACCES): take one from ${FIRST_FREE} on`
          : `is ${port}, which the system reserves (EACCES): take another one`,
      );
    case "EAI_AGAIN":
      return wrong("server.host", `${given}a name that cannot be looked up now (EAI_AGAIN): ${right}`);
    case "ENOTFOUND":
    case "EADDRNOTAVAIL":
    case "EINVAL":
      return wrong("server.host", `${given}which is no address of this machine (${code}): ${right}`);
    default:
      return cause;
  }
}

/** Whether the request's host is not a name of this machine, while the gateway needs no keys. */
function isRebound(request: Request, { server: { keys = [], origins = [] } = {} }: GatewayConfig): boolean {
  return keys.length === 0 && !isKnownHost(new URL(request.url).host, origins);
}

function unknownHost(): Response {
  const message =
    "Requests must use the host name localhost. For another name, add its origin to `server.origins`, or configure `server.keys`.";
  const failure = new Failure("forbidden", message, { code: "forbidden_host" });
  return Response.json(openaiError(failure), { status: failure.status });
}
