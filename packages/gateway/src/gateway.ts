import { checkOptionNames, checkOptionValues, type OptionRules } from "@toolingua/core";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { Activity } from "./admin/activity.js";
import { adminRoute } from "./admin/route.js";
import type { Api, ErrorShape, TurnRequest } from "./apis/api.js";
import { chatApi } from "./apis/chat.js";
import { countTokens } from "./apis/count-tokens.js";
import { messagesApi } from "./apis/messages.js";
import { responsesApi } from "./apis/responses.js";
import { checkConfig } from "./config/check-config.js";
import type { GatewayConfig } from "./config/schema.js";
import { Failure, failureOf } from "./failure.js";
import { catalogue, modelEntry } from "./models/catalogue.js";
import type { ServedModel } from "./models/served-model.js";
import { eventStream } from "./operation/event-stream.js";
import { allowanceHeaders, Limiter } from "./operation/limiter.js";
import { Metrics } from "./operation/metrics.js";
import { ReadinessProbe } from "./operation/readiness.js";
import { type RequestRecord, RequestWatch } from "./operation/request-record.js";
import { RunningAnswers, stopping } from "./operation/running.js";
import { type Setup, setUp } from "./operation/setup.js";
import { streamedAnswer, wholeAnswer } from "./turn/run-turn.js";
import { SharedTools } from "./turn/shared-tools.js";

/** A gateway, for any server that speaks `Request` and `Response`. */
export interface Gateway {
  /** Answers one request. Never rejects: what fails is an answer too. */
  fetch(request: Request): Promise<Response>;
  /**
   * Takes another configuration for the requests to come. Answers that are being given end by the one that they began with.
   *
   * Errors: {@link GatewayConfigError} `bad-config`; the configuration stays as it was.
   */
  reload(config: GatewayConfig): void;
  /**
   * Refuses further requests with 503, waits for the answers that are being given (`limits.grace`), ends the others with an
   * error, and frees embedded models.
   */
  close(): Promise<void>;
}

/** What a gateway takes beside its configuration. */
export interface GatewayOptions {
  /**
   * Called for each request to a model when it is over; it must not throw. Default: failures of the gateway itself are
   * written to the console.
   */
  log?: ((record: RequestRecord) => void) | undefined;
}

const optionRules: OptionRules<GatewayOptions> = {
  log: { takes: (value) => typeof value === "function", words: "a function" },
};

type Variables = { requestId: string; setup: Setup; watch: RequestWatch; isStreaming?: boolean };
type GatewayContext = Context<{ Variables: Variables }>;
type Middleware = MiddlewareHandler<{ Variables: Variables }>;

/**
 * A gateway of this configuration: OpenAI's APIs and Anthropic's in front of models that only write text.
 *
 * Errors: {@link GatewayConfigError} `bad-config`; `OptionsError` for other options.
 *
 * @example
 * const gateway = createGateway({ models: [{ name: "llama3", upstream: { url: "http://localhost:11434/v1" } }] });
 * export default { fetch: gateway.fetch };
 */
export function createGateway(config: GatewayConfig, options: GatewayOptions = {}): Gateway {
  checkOptionNames(optionRules, options);
  checkOptionValues(optionRules, options);
  const { log = logFailures } = options;
  let setup = setUp(checkConfig(config));
  let isStopping = false;
  let ending: Promise<void> | undefined;
  const running = new RunningAnswers();
  const limiter = new Limiter();
  const metrics = new Metrics();
  const activity = new Activity();
  const readiness = new ReadinessProbe();
  const app = new Hono<{ Variables: Variables }>();

  app.use(async (c, next) => {
    c.set("setup", setup);
    c.set("requestId", requestId(c.req.raw.headers));
    await next();
    c.res.headers.set("x-request-id", c.get("requestId"));
    c.res.headers.set("request-id", c.get("requestId"));
  });
  app.onError((error, c) => refuse(c, failureOf(error)));
  app.notFound((c) => {
    throw new Failure("not-found", `There is nothing at ${c.req.method} ${c.req.path.slice(0, 200)}.`, {
      code: "not_found",
    });
  });

  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => {
    const { ready, models } = await readiness.get(c.get("setup").models.models);
    const status = isStopping ? "stopping" : ready ? "ready" : "unready";
    return c.json({ status, models }, status === "ready" ? 200 : 503);
  });
  app.get("/metrics", async (c) => c.text(await metrics.text(), 200, { "content-type": metrics.contentType }));

  app.get("/", (c) => adminRoute(c, { setup: c.get("setup"), readiness, activity }));

  const authorized: Middleware = async (c, next) => {
    c.get("setup").keys.holderOf(c.req.raw.headers);
    await next();
  };
  app.get("/v1/models", authorized, (c) => {
    const { models, created } = c.get("setup");
    return c.json(catalogue(models, created, c.req.header("anthropic-version") !== undefined));
  });
  app.get("/v1/models/:name{.+}", authorized, (c) => {
    const { models, created } = c.get("setup");
    const name = c.req.param("name");
    return c.json(modelEntry(models.get(name), created, name));
  });
  for (const path of ["/v1/messages/count_tokens", "/v1/v1/messages/count_tokens"])
    app.post(path, authorized, limitedBody, async (c) => {
      const { request, model } = await read(c, messagesApi);
      return c.json({ input_tokens: countTokens(request, model) });
    });
  for (const [path, api] of routes) app.post(path, watched(api), limited, limitedBody, (c) => answer(c, api));

  /** Records what becomes of a request. */
  function watched(api: Api): Middleware {
    return async (c, next) => {
      const watch = new RequestWatch(c.get("requestId"), api.name, (record) => {
        metrics.running.dec();
        metrics.add(record);
        activity.add(record);
        log(record);
      });
      c.set("watch", watch);
      metrics.running.inc();
      await next();
      const isGone = c.req.raw.signal.aborted;
      if (c.error && !isGone) watch.failed(failureOf(c.error));
      if (!c.get("isStreaming")) watch.end(isGone ? CLIENT_GONE : c.res.status);
    };
  }

  /** Lets in who may ask, as often and as much at once as they may. */
  async function limited(c: GatewayContext, next: () => Promise<void>): Promise<void> {
    const { keys, limits } = c.get("setup");
    if (isStopping) throw stopping();
    const holder = keys.holderOf(c.req.raw.headers);
    const watch = c.get("watch");
    if (holder) watch.is({ key: holder.name });
    const { allowance, end } = limiter.begin(holder ?? {}, limits);
    watch.onEnd(end);
    await next();
    if (!allowance) return;
    for (const [name, value] of Object.entries(allowanceHeaders(allowance, new Date()))) c.res.headers.set(name, value);
  }

  async function answer(c: GatewayContext, api: Api): Promise<Response> {
    const { request, model } = await read(c, api);
    const watch = c.get("watch");
    watch.is({ model: model.name, stream: request.stream });
    const { signal, end } = running.begin(c.req.raw.signal);
    watch.onEnd(end);
    const context = { model, signal, requestId: c.get("requestId"), watch };
    try {
      if (!request.stream) return c.json(await wholeAnswer(request, context));
      const response = await eventStream(streamedAnswer(request, context), {
        keepAlive: c.get("setup").limits.keepAlive * 1000,
        onEnd: (isComplete) => watch.end(isComplete ? 200 : CLIENT_GONE),
      });
      c.set("isStreaming", true);
      return response;
    } catch (error) {
      // Hono passes over what is no Error, such as the reason of an abort.
      throw failureOf(error);
    }
  }

  async function end(): Promise<void> {
    isStopping = true;
    if (!(await running.idle(setup.limits.grace * 1000))) {
      running.stop();
      // Who does not read at all is not waited for.
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
      void running.idle().then(() => closeAll(unused));
    },
    close() {
      ending ??= end();
      return ending;
    },
  };
}

/** The status of an answer that nobody waited for, as nginx has it. */
const CLIENT_GONE = 499;

/** How long an error that ends an answer is waited for, in ms. */
const UNREAD = 1000;

const routes: readonly (readonly [path: string, api: Api])[] = [
  ["/v1/chat/completions", chatApi],
  ["/v1/responses", responsesApi],
  ["/v1/messages", messagesApi],
  // Many give Anthropic's clients an address that ends in /v1, to which they add it again.
  ["/v1/v1/messages", messagesApi],
];

/** The shape of errors at a path: its API's, elsewhere OpenAI's. */
const shapeAt = (path: string): ErrorShape => (/\/messages\b/.test(path) ? messagesApi : chatApi);

const closeAll = async (models: readonly ServedModel[]) => {
  await Promise.all(models.map((model) => model.close()));
};

function logFailures({ requestId, error }: RequestRecord): void {
  if (error?.kind === "internal") console.error(`toolingua: request ${requestId} failed: ${error.message}`);
}

function refuse(c: GatewayContext, failure: Failure): Response {
  const headers = failure.retryAfter === undefined ? undefined : { "retry-after": String(failure.retryAfter) };
  const body = shapeAt(c.req.path).error(failure, c.get("requestId"));
  return c.json(body, failure.status as 400, headers);
}

/** The client's own id of a request, if it is a plain one. */
function requestId(headers: Headers): string {
  const given = headers.get("x-request-id") ?? "";
  return /^[\w.-]{1,128}$/.test(given) ? given : `req_${crypto.randomUUID().replaceAll("-", "")}`;
}

const limitedBody: Middleware = (c, next) => {
  const maxSize = c.get("setup").limits.body;
  const onError = () => {
    throw new Failure("too-large", `The body is larger than ${maxSize} bytes.`, { code: "request_too_large" });
  };
  // What says its length need not be counted, and is read without the cost of a stream.
  const length = c.req.header("content-length");
  if (length === undefined || c.req.header("transfer-encoding") !== undefined)
    return bodyLimit({ maxSize, onError })(c, next);
  if (!(Number(length) <= maxSize)) onError();
  return next();
};

/** Of all gateways in this process: what is prepared of a tool depends on nothing else. */
const sharedTools = new SharedTools();

/** What is asked, and of whom. Errors: {@link Failure}. */
async function read(c: GatewayContext, api: Api): Promise<{ request: TurnRequest; model: ServedModel }> {
  const { models, limits } = c.get("setup");
  const request = api.read(await jsonBody(c.req));
  const { messages, tools } = request.conversation;
  checkCount("messages", messages.length, limits.messages);
  checkCount("tools", tools?.length ?? 0, limits.tools);
  checkCount("n", request.choices, limits.choices);
  if (tools) request.conversation.tools = sharedTools.share(tools);
  return { request, model: models.get(request.model) };
}

async function jsonBody(request: { text(): Promise<string> }): Promise<unknown> {
  const text = await request.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new Failure("invalid", `The body is no JSON: ${why}`, { code: "invalid_json" });
  }
}

function checkCount(field: string, count: number, most: number): void {
  if (count <= most) return;
  throw new Failure("invalid", `\`${field}\`: there are ${count}, and at most ${most} are taken.`, {
    param: field,
    code: "limit_exceeded",
  });
}
