import { quoted } from "../json.js";
import { CliError } from "../terminal/errors.js";
import type { Api, Request, Settings } from "./api.js";
import { chat } from "./chat/chat.js";
import type { Asked, Check, Evidence, Status, Verdict } from "./check.js";
import { type ApiName, alike, type Breaks, type ClientName, clientNames, clients, speaks } from "./clients.js";
import { messages } from "./messages/messages.js";
import { isAnswer, type Reply } from "./reply.js";
import type { ClientFinding, Effect, Finding, Report } from "./report.js";
import { responses } from "./responses/responses.js";
import { type Scenario, scenarios } from "./scenarios.js";
import { tryAbort } from "./server/abort.js";
import { findTarget, listProblem, modelOf, type Target } from "./server/target.js";
import { type Exchange, type Sent, send } from "./wire/exchange.js";

/** Options of an examination. */
interface ExamineOptions {
  /** The server's URL, with or without `/v1`. */
  url: string;
  /** Default: the first model that the server lists. */
  model?: string | undefined;
  apiKey?: string | undefined;
  /** Limits the checks to what these clients need. Default: all clients. */
  clients?: readonly ClientName[] | undefined;
  /** Limits the examination to these APIs. Default: those that the clients need. */
  apis?: readonly ApiName[] | undefined;
  /** The most tokens of an answer. */
  maxTokens: number;
  /** The time limit of an answer, in ms. */
  timeout: number;
  /** How long a server may continue after a client disconnects, in ms. */
  patience: number;
  signal: AbortSignal;
  /** Called before each request. */
  onStep?(step: { name: string; done: number; total: number }): void;
  /** Called after each exchange. Keys are masked. */
  onExchange?(name: string, exchange: Exchange): void;
}

const apis: readonly Api[] = [chat, responses, messages];

/** The observations of an API; without evidence if the server does not have it. */
interface Seen {
  api: Api;
  evidence?: Evidence;
}

/**
 * Examines a server with requests like those of the real clients, and reports what is wrong.
 *
 * Errors: `CliError` if there is no server, if it stops answering, if there is no such API, or a different key is needed; the
 * reason of `signal`.
 *
 * @example
 * const report = await examine({ url: "http://localhost:11434", maxTokens: 256, timeout: 120_000, patience: 10_000, signal });
 * report.clients.filter(({ status }) => status === "breaks");
 */
export async function examine(options: ExamineOptions): Promise<Report> {
  const begun = performance.now();
  const examination = new Examination(options);
  const target = await examination.find();
  const settings = { model: modelOf(target, options.model), maxTokens: options.maxTokens };
  const wanted = apis.filter(
    ({ name }) =>
      (options.apis?.includes(name) ?? true) && (options.clients ?? clientNames).some((client) => speaks(client, name)),
  );
  examination.plan(wanted, settings);
  const seen: Seen[] = [];
  for (const api of wanted) seen.push(await examination.examine(api, settings));
  if (seen.every(({ evidence }) => !evidence))
    throw new CliError(
      "not-found",
      `None of the APIs is at ${target.base}: ${wanted.map(({ path }) => path).join(", ")}.`,
    );
  const abort = await examination.abort(seen, settings);
  const only = new Set(options.clients ?? clientNames);
  const checks = [finding(modelsCheck, "server", modelsVerdict(target)), finding(abortCheck, "server", abort)]
    .concat(
      seen.flatMap(({ api, evidence }) =>
        evidence ? api.checks.map((check) => finding(check, api.name, check.judge(evidence, check.level))) : [],
      ),
    )
    .map((one) => (options.clients ? among(one, only) : one))
    .filter(({ breaks, costs }) => !options.clients || breaks.length + costs.length > 0)
    .map((one) => ({ ...one, seen: examination.masked(one.seen) }));
  const count = (status: Status) => checks.filter((one) => one.status === status).length;
  return {
    url: target.base,
    model: settings.model,
    apis: seen.map(({ api, evidence }) => ({
      ...{ api: api.name, title: api.title, served: evidence !== undefined },
      calls: evidence?.replies.reduce((sum, { calls }) => sum + calls.length, 0) ?? 0,
    })),
    clients: [...only].flatMap((client) => seen.flatMap((one) => clientFinding(client, one, checks))),
    checks,
    counts: { pass: count("pass"), fault: count("fault"), warning: count("warning"), unseen: count("unseen") },
    requests: examination.requests,
    duration: Math.round(performance.now() - begun),
  };
}

/** The meaning of a finding for these clients. If none of them breaks, it is not a fault for them. */
function among(found: Finding, only: ReadonlySet<ClientName>): Finding {
  const isOne = ({ client }: Effect) => only.has(client);
  const [breaks, costs] = [found.breaks.filter(isOne), found.costs.filter(isOne)];
  const status = found.status === "fault" && breaks.length === 0 ? "warning" : found.status;
  return { ...found, status, breaks, costs };
}

/** The requests of one examination, in sequence: many local servers answer only one at a time. */
class Examination {
  requests = 0;
  #total = 0;
  #base = "";
  /** The request that lists the models, which every server answers. */
  #list: Sent | undefined;
  readonly #options: ExamineOptions;

  constructor(options: ExamineOptions) {
    this.#options = options;
  }

  async find(): Promise<Target> {
    const { url, apiKey, timeout, signal } = this.#options;
    const target = await findTarget(url, chat.headers(apiKey), { timeout, signal });
    this.#base = target.base;
    this.#list = target.list.sent;
    this.requests += 1;
    this.#options.onExchange?.("models", this.#withoutKey(target.list));
    return target;
  }

  plan(wanted: readonly Api[], settings: Settings): void {
    const each = (api: Api) => scenarios.length + api.shapes(settings).length + api.wrong(settings).length;
    this.#total = wanted.reduce((sum, api) => sum + each(api), 0) + 1;
  }

  /** Sends all requests of an API; only the first if the API is missing or rejects it. */
  async examine(api: Api, settings: Settings): Promise<Seen> {
    const replies: Reply[] = [];
    for (const scenario of scenarios) {
      const tries = await this.#try(api, scenario, settings);
      const [first] = tries;
      if (replies.length === 0 && first && isMissing(first.exchange)) return { api };
      if (replies.length === 0 && first) this.#refuseKey(first.exchange);
      replies.push(...tries);
      if (replies.length === 1 && first && !isAnswer(first)) break;
    }
    const evidence: Evidence = { api: api.name, model: settings.model, replies, shapes: [], wrong: [] };
    if (replies.length === 1) return { api, evidence };
    const shapes = await this.#all(api, api.shapes(settings));
    return {
      api,
      evidence: {
        ...evidence,
        shapes,
        wrong: await this.#all(api, [...api.wrong(settings), ...this.#wrongKey(api, settings)]),
      },
    };
  }

  /** Disconnects from a stream of the first API that answers. */
  async abort(seen: readonly Seen[], settings: Settings): Promise<Verdict> {
    const { timeout, signal, patience } = this.#options;
    const one = seen.find(({ evidence }) =>
      evidence?.replies.some((reply) => isAnswer(reply) && reply.scenario.stream),
    );
    const usual = one?.evidence?.replies.find((reply) => reply.scenario.name === "text");
    const [plain, counting] = scenarios;
    if (!one || !usual) return { status: "unseen", seen: "no stream was read to its end" };
    this.#step("a stream that is left");
    const body = one.api.body({ ...counting, turn: "long count" }, { ...settings, maxTokens: LONG });
    const long = this.#request(one.api, { name: "left", body });
    const short = this.#request(one.api, { name: "after it", body: one.api.body(plain, settings) });
    const root = this.#base.replace(/\/v1$/, "");
    return tryAbort({ root, long, short, usual: usual.exchange.ms, patience, timeout, signal });
  }

  /** The text without the key, which some servers repeat. */
  masked(text: string): string {
    const { apiKey } = this.#options;
    return apiKey ? text.replaceAll(apiKey, "…") : text;
  }

  async #try(api: Api, scenario: Scenario, settings: Settings): Promise<Reply[]> {
    const replies: Reply[] = [];
    for (let left = scenario.tries ?? 1; left > 0; left--) {
      const exchange = await this.#send(api, { name: scenario.name, body: api.body(scenario, settings) });
      const reply = api.read(scenario, exchange);
      replies.push(reply);
      if (!isAnswer(reply) || reply.calls.length > 0) break;
    }
    return replies;
  }

  async #all(api: Api, requests: readonly Request[]): Promise<Asked[]> {
    const asked: Asked[] = [];
    for (const request of requests) asked.push({ name: request.name, exchange: await this.#send(api, request) });
    return asked;
  }

  async #send(api: Api, request: Request): Promise<Exchange> {
    const { timeout, signal, onExchange } = this.#options;
    this.#step(`${api.title}: ${request.name}`);
    const exchange = await send(this.#request(api, request), { timeout, signal });
    onExchange?.(`${api.name}: ${request.name}`, this.#withoutKey(exchange));
    if (exchange.status === 0) await this.#refuseDead(`${api.title}: ${request.name}`, exchange);
    return exchange;
  }

  /** Errors: `CliError` if the server does not even list its models any more: none of its APIs is to blame. */
  async #refuseDead(name: string, { problem, ending }: Exchange): Promise<void> {
    const { timeout, signal } = this.#options;
    const again = this.#list && (await send(this.#list, { timeout, signal }));
    if (again?.status !== 0) return;
    const message = `The server stopped answering at request ${this.requests}, "${name}": ${problem ?? ending}. See its log, start it again, and repeat the examination.`;
    throw new CliError("failed", message);
  }

  #step(name: string): void {
    this.#options.onStep?.({ name, done: Math.min(this.requests, this.#total), total: this.#total });
    this.requests += 1;
  }

  #request(api: Api, { body, headers, suffix = "" }: Request): Sent {
    return {
      method: "POST",
      url: this.#base + api.path + suffix,
      headers: { "content-type": "application/json", ...api.headers(this.#options.apiKey), ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    };
  }

  /** If a key is needed, a wrong one must be rejected. */
  #wrongKey(api: Api, settings: Settings): Request[] {
    if (this.#options.apiKey === undefined) return [];
    const [plain] = scenarios;
    return [{ name: "wrong key", body: api.body(plain, settings), headers: api.headers("not-the-key") }];
  }

  /** Errors: `CliError` if a different key is needed. */
  #refuseKey({ status, text }: Exchange): void {
    if (status !== 401 && status !== 403) return;
    const given = this.#options.apiKey === undefined ? "Give" : "Give another";
    throw new CliError("failed", `The server answered ${status}: ${this.masked(quoted(text))}. ${given} --api-key.`);
  }

  #withoutKey(exchange: Exchange): Exchange {
    const { sent } = exchange;
    const headers = Object.entries(sent.headers).map(([name, value]) => [name, this.masked(value)] as const);
    return { ...exchange, text: this.masked(exchange.text), sent: { ...sent, headers: Object.fromEntries(headers) } };
  }
}

/** The token limit of the stream to disconnect from: far more than are written by then. */
const LONG = 4000;

/** Whether the server has nothing at this path. A missing model is another matter. */
function isMissing({ status, text }: Exchange): boolean {
  if (/unexpected endpoint|unknown (?:url|endpoint|path)/i.test(text)) return true;
  return (status === 404 && !/model/i.test(text)) || status === 405 || status === 501;
}

/** A check without its judge: of what is asked once, not of each API. */
type ServerCheck = Omit<Check, "judge">;

const finding = (
  { id, title, says, source, breaks, costs = {} }: ServerCheck,
  api: Finding["api"],
  verdict: Verdict,
): Finding => ({
  ...{ id, api, title, ...verdict, specification: { says, source } },
  breaks: effects(breaks),
  costs: effects(costs),
});

const effects = (by: Breaks): Effect[] =>
  clientNames.flatMap((client) => {
    const how = by[client];
    return how === undefined ? [] : [{ client, title: clients[client].title, how }];
  });

const modelsCheck: ServerCheck = {
  id: "server.models",
  title: "Models are listed",
  level: "warning",
  says: '`GET /v1/models` gives `{ object: "list", data: [{ id, object: "model" }] }`.',
  source: "https://platform.openai.com/docs/api-reference/models/list",
  breaks: { "openai-sdk": "`models.list()` throws, and pickers of models are empty" },
};

const modelsVerdict = (target: Target): Verdict => {
  const problem = listProblem(target);
  return problem === undefined
    ? { status: "pass", seen: `${target.models.length} models` }
    : { status: modelsCheck.level, seen: problem };
};

const abortCheck: ServerCheck = {
  id: "server.abort",
  title: "A client that leaves ends the model's work",
  level: "fault",
  says: "Who closes the connection wants no more of the answer.",
  source: "https://www.rfc-editor.org/rfc/rfc9112#section-9.6",
  breaks: alike(
    ["claude-code", "codex", "openai-sdk", "anthropic-sdk", "ai-sdk", "langchain"],
    "leaving an answer keeps the server busy, and the next one waits",
  ),
};

/** The result of a client with an API that it can use. */
function clientFinding(client: ClientName, { api, evidence }: Seen, checks: readonly Finding[]): ClientFinding[] {
  if (!speaks(client, api.name)) return [];
  const result = { client, title: clients[client].title, api: api.name };
  if (!evidence) return [{ ...result, status: "not-served", because: [] }];
  const own = checks.filter((one) => one.api === api.name || one.api === "server");
  const isHit = (one: Effect) => one.client === client;
  const faults = own.filter(({ status, breaks }) => status === "fault" && breaks.some(isHit)).map(({ id }) => id);
  const warnings = own
    .filter(({ status, breaks, costs }) => {
      if (status === "warning") return [...breaks, ...costs].some(isHit);
      return status === "fault" && costs.some(isHit);
    })
    .map(({ id }) => id);
  if (faults.length > 0) return [{ ...result, status: "breaks", because: faults }];
  if (!evidence.replies.some(({ calls }) => calls.length > 0)) return [{ ...result, status: "unseen", because: [] }];
  return [{ ...result, status: warnings.length > 0 ? "limited" : "works", because: warnings }];
}
