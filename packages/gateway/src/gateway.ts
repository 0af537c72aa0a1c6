import { context } from "@opentelemetry/api";
import { checkOptionNames, checkOptionValues, type OptionRules } from "@toolingua/core/adapters";
import { Hono } from "hono";
import { getPathNoStrict } from "hono/utils/url";
import { Activity } from "./admin/activity.js";
import { adminRoute } from "./admin/route.js";
import { type Api, type ErrorShape, newId } from "./apis/api.js";
import { chatApi } from "./apis/chat.js";
import { countTokens } from "./apis/count-tokens.js";
import { messagesApi } from "./apis/messages.js";
import { limitedBody, readRequest } from "./apis/read-request.js";
import { responsesApi } from "./apis/responses.js";
import { checkConfig } from "./config/check-config.js";
import type { GatewayConfig } from "./config/schema.js";
import { type Failure, failureOf } from "./failure.js";
import { modelRoutes } from "./models/model-routes.js";
import type { ServedModel } from "./models/served-model.js";
import type { GatewayContext, GatewayEnv, Middleware } from "./operation/context.js";
import { eventStream } from "./operation/event-stream.js";
import type { KeyHolder } from "./operation/keys.js";
import { allowanceHeaders, Limiter } from "./operation/limiter.js";
import { Metrics } from "./operation/metrics.js";
import { pages } from "./operation/pages.js";
import { ReadinessProbe } from "./operation/readiness.js";
import { refusedRecord } from "./operation/refused-record.js";
import { type RequestRecord, RequestWatch } from "./operation/request-record.js";
import { RunningAnswers, stopping } from "./operation/running.js";
import { setUp } from "./operation/setup.js";
import { nothingAt } from "./operation/unknown-path.js";
import { ResponseMemory } from "./store/response-memory.js";
import type { ResponseStore } from "./store/response-store.js";
import { storedRoutes } from "./store/stored-routes.js";
import { beginOperation } from "./telemetry/operation.js";
import { streamedAnswer, wholeAnswer } from "./turn/run-turn.js";

/** A gateway, for any server that uses `Request` and `Response`. */
export interface Gateway {
  /** Answers one request. Never rejects: a failure is a response too. */
  fetch(request: Request): Promise<Response>;
  /**
   * Applies another configuration to later requests. Answers in progress finish with the configuration they started
   * with.
   *
   * Errors: {@link GatewayConfigError} `bad-config`; the old configuration then stays in use.
   */
  reload(config: GatewayConfig): void;
  /**
   * Refuses further requests with 503, waits for the answers in progress (`limits.grace`), ends the remaining ones with
   * an error, and frees embedded models.
   */
  close(): Promise<void>;
}

/** Options of a gateway besides its configuration. */
export interface GatewayOptions {
  /**
   * Called at the end of each request to a model, and of any other request that is refused. An exception that it throws is
   * written to the console. Default: failures of the gateway itself are written to the console.
   */
  log?: ((record: RequestRecord) => void) | undefined;
  /** Where responses are kept for `previous_response_id`. Overrides the configuration's `store`. */
  store?: ResponseStore | undefined;
}

const optionRules: OptionRules<GatewayOptions> = {
  log: { takes: (value) => typeof value === "function", words: "a function" },
  store: { takes: isStore, words: "an object with the functions get, put and delete" },
};

function isStore(value: unknown): boolean {
  const store = Object(value) as Record<string, unknown>;
  return ["get", "put", "delete"].every((name) => typeof store[name] === "function");
}

/**
 * Creates a gateway: OpenAI's and Anthropic's APIs in front of models that only write text.
 *
 * Errors: {@link GatewayConfigError} `bad-config`; `OptionsError` for invalid `options`.
 *
 * @example
 * const gateway = createGateway({ models: [{ name: "llama3", upstream: { baseURL: "http://localhost:11434/v1" } }] });
 * export default { fetch: gateway.fetch };
 */
export function createGateway(config: GatewayConfig, options: GatewayOptions = {}): Gateway {
  checkOptionNames(optionRules, options);
  checkOptionValues(optionRules, options);
  const log = guarded(options.log ?? logFailures);
  let setup = setUp(checkConfig(config));
  let isStopping = false;
  let ending: Promise<void> | undefined;
  const running = new RunningAnswers();
  const limiter = new Limiter();
  const metrics = new Metrics();
  const activity = new Activity();
  const readiness = new ReadinessProbe();
  const observers = { metrics, activity, log };
  /** Logs a refused request, unless it is one to a model: then its watch logs it. */
  const logRefused = (c: GatewayContext, failure: Failure) => {
    if (!c.get("watch")) log(refusedRecord(c, failure, app.routes));
  };
  const app = new Hono<GatewayEnv>({ getPath: pathOf });

  app.use(async (c, next) => {
    c.set("setup", setup);
    c.set("begun", performance.now());
    c.set("requestId", requestId(c.req.raw.headers));
    await next();
    c.res.headers.set("x-request-id", c.get("requestId"));
    c.res.headers.set("request-id", c.get("requestId"));
  });
  app.use(asErrors);
  app.use(pages);
  app.onError((error, c) => {
    const failure = failureOf(error, c.get("asked"));
    logRefused(c, failure);
    return refuse(c, failure);
  });
  app.notFound((c) => {
    const failure = nothingAt(c.req.method, c.req.path, app.routes);
    logRefused(c, failure);
    return refuse(c, failure);
  });

  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => {
    const { ready, ...seen } = await readiness.get(c.get("setup").models.models);
    const status = isStopping ? "stopping" : ready ? "ready" : "unready";
    return c.json({ status, ...seen }, status === "ready" ? 200 : 503);
  });
  app.get("/metrics", async (c) => {
    const text = await metrics.text(c.get("setup").models.models);
    return c.text(text, 200, { "content-type": metrics.contentType });
  });

  app.get("/", (c) => adminRoute(c, { setup: c.get("setup"), readiness, activity }));

  /** The holder of the request's key. Errors: {@link Failure} `authentication`. */
  function holderOf(c: GatewayContext): KeyHolder | undefined {
    const { keys, store } = c.get("setup");
    const holder = keys.holderOf(c.req.raw.headers);
    c.set("memory", new ResponseMemory(options.store ?? store, holder?.name ?? ""));
    return holder;
  }
  const authorized: Middleware = async (c, next) => {
    holderOf(c);
    await next();
  };
  app.use("/v1/models/*", authorized).route("/v1/models", modelRoutes);
  app.post("/v1/messages/count_tokens", shaped(messagesApi), limited, limitedBody, async (c) => {
    const { request, model } = await readRequest(c, messagesApi);
    return c.json({ input_tokens: countTokens(request, model) });
  });
  app.use("/v1/responses/:id/*", authorized).route("/v1/responses", storedRoutes);
  for (const [path, api] of routes)
    app.post(path, shaped(api), watched(api, observers), asErrors, limited, limitedBody, (c) => answer(c, api));

  /** Checks the key and the limits of rate and concurrency. */
  async function limited(c: GatewayContext, next: () => Promise<void>): Promise<void> {
    if (isStopping) throw stopping();
    const holder = holderOf(c);
    const watch = c.get("watch");
    if (holder) watch?.is({ key: holder.name });
    const { allowance, end: leave } = limiter.begin(holder ?? {}, c.get("setup").limits);
    // Registered before the body is read, so that a reload does not close the model in between.
    const { signal, end: finish } = running.begin(c.req.raw.signal);
    c.set("signal", signal);
    const end = () => {
      leave();
      finish();
    };
    watch?.onEnd(end);
    try {
      await next();
    } finally {
      // A streamed answer outlives this handler: then the watch calls `end`.
      if (!watch) end();
    }
    if (!allowance) return;
    for (const [name, value] of Object.entries(allowanceHeaders(allowance, new Date()))) c.res.headers.set(name, value);
  }

  async function end(): Promise<void> {
    isStopping = true;
    if (!(await running.idle(setup.limits.grace * 1000))) {
      running.stop();
      // A client that does not read at all is not waited for any longer.
      await running.idle(UNREAD);
    }
    await closeAll(setup.models.models);
  }

  return {
    fetch: async (request) => app.fetch(request),
    reload(changed) {
      const before = setup;
      setup = setUp(checkConfig(changed), before);
      const unused = before.models.models.filter((model) => !setup.models.models.includes(model));
      running
        .idle()
        .then(() => closeAll(unused))
        .catch((error) => console.error("toolingua: a model could not be closed:", error));
    },
    close() {
      ending ??= end();
      return ending;
    },
  };
}

/** The observers of a finished request. */
interface Observers {
  metrics: Metrics;
  activity: Activity;
  log(record: RequestRecord): void;
}

/** Writes errors in the shape of this API. */
const shaped =
  (api: Api): Middleware =>
  async (c, next) => {
    c.set("shape", api);
    await next();
  };

/** Converts any thrown value to an `Error`: Hono ignores other values, such as the reason of an abort. */
const asErrors: Middleware = async (_, next) => {
  try {
    await next();
  } catch (thrown) {
    throw failureOf(thrown);
  }
};

/** Records the outcome of a request. */
function watched(api: Api, { metrics, activity, log }: Observers): Middleware {
  return async (c, next) => {
    const watch = new RequestWatch(c.get("requestId"), api.name, c.get("setup").withContent, (record) => {
      metrics.running.dec();
      metrics.add(record);
      activity.add(record);
      log(record);
    });
    c.set("watch", watch);
    metrics.running.inc();
    await next();
    const isGone = c.req.raw.signal.aborted;
    if (c.error && !isGone) watch.failed(failureOf(c.error, c.get("asked")));
    if (!c.get("isStreaming")) watch.end(isGone ? CLIENT_GONE : c.res.status);
  };
}

/** Sends the request to the model, and returns its answer whole or as a stream. */
async function answer(c: GatewayContext, api: Api): Promise<Response> {
  const { request, model } = await readRequest(c, api);
  const watch = c.get("watch")!;
  watch.is({ model: model.name, stream: request.stream });
  const { withContent, limits } = c.get("setup");
  const requestId = c.get("requestId");
  const { headers } = c.req.raw;
  const operation = beginOperation({ request, model, api: api.name, requestId, headers, withContent });
  watch.onEnd(operation.end);
  const turn = { model, signal: c.get("signal"), requestId, watch };
  if (!request.stream) {
    const whole = await context.with(operation.context, () => wholeAnswer(request, turn));
    return typeof whole === "string" ? c.body(whole, 200, { "content-type": "application/json" }) : c.json(whole);
  }
  const source = streamedAnswer(request, turn);
  source.events.next = context.bind(operation.context, source.events.next.bind(source.events));
  const response = await eventStream(source, {
    keepAlive: limits.keepAlive * 1000,
    unread: limits.unread * 1000,
    onEnd: (isComplete) => watch.end(isComplete ? 200 : CLIENT_GONE),
  });
  c.set("isStreaming", true);
  return response;
}

/** The status of a request whose client disconnected, as in nginx. */
const CLIENT_GONE = 499;

/** How long to wait for a client to read the error that ends its answer, in ms. */
const UNREAD = 1000;

const routes: readonly (readonly [path: string, api: Api])[] = [
  ["/v1/chat/completions", chatApi],
  ["/v1/responses", responsesApi],
  ["/v1/messages", messagesApi],
];

/**
 * The path of a request, which may end with a slash. Many users give Anthropic's clients a base URL that ends in /v1; the
 * clients append /v1 again.
 */
const pathOf = (request: Request) => getPathNoStrict(request).replace(/^\/v1(?=\/v1\/)/, "");

/** The shape of errors: that of the route's API; on other routes Anthropic's for its clients, else OpenAI's. */
const shapeOf = (c: GatewayContext): ErrorShape =>
  c.get("shape") ?? (c.req.header("anthropic-version") === undefined ? chatApi : messagesApi);

const closeAll = async (models: readonly ServedModel[]) => {
  await Promise.all(models.map((model) => model.close()));
};

/** The same log, whose exceptions are written to the console. */
const guarded = (log: NonNullable<GatewayOptions["log"]>) => (record: RequestRecord) => {
  try {
    log(record);
  } catch (error) {
    console.error("toolingua: `log` failed:", error);
  }
};

function logFailures({ requestId, error }: RequestRecord): void {
  if (error?.kind === "internal") console.error(`toolingua: request ${requestId} failed: ${error.message}`);
}

function refuse(c: GatewayContext, failure: Failure): Response {
  const { retryAfterSeconds: wait } = failure;
  const headers = wait === undefined ? undefined : { "retry-after": String(wait) };
  const body = shapeOf(c).error(failure, c.get("requestId"));
  return c.json(body, failure.status as 400, headers);
}

/** The client's own request id, if it is a plain identifier. */
function requestId(headers: Headers): string {
  const given = headers.get("x-request-id") ?? "";
  return /^[\w.-]{1,128}$/.test(given) ? given : newId("req_");
}
