import { createHash } from "node:crypto";
import type { TextMessage, TextModel, TextModelChunk, TextModelRequest } from "@toolingua/core";
import { EndpointError, type EndpointErrorCode } from "@toolingua/endpoints";
import { Failure } from "../failure.js";
import { CircuitBreaker } from "./circuit-breaker.js";

/** One of a model's several servers. */
export interface PooledUpstream {
  name: string;
  baseURL: string;
  model: TextModel;
  breaker: CircuitBreaker;
  /** The number of requests in progress. */
  running: number;
  /** The number of requests that failed by the server's fault. */
  failed: number;
}

/** A server keeps its conversations up to this load: this many times the least busy one's, plus this many requests. */
const TIMES_BUSIER = 2;
const REQUESTS_BUSIER = 2;

/**
 * Several servers of one model, used as one. A conversation stays on one server, whose prefix cache has its prompt,
 * unless that server is much busier than another. A request that fails before its first chunk is sent to another
 * server. A server that fails repeatedly gets no requests for a while.
 *
 * Errors of a request: those of the last server; {@link Failure} `overloaded` if all circuits are open.
 */
export class UpstreamPool {
  readonly upstreams: readonly PooledUpstream[];
  readonly model: TextModel = (request) => this.#ask(request);

  constructor(
    upstreams: readonly Pick<PooledUpstream, "name" | "baseURL" | "model">[],
    breaker: { failures: number; openTime: number },
  ) {
    this.upstreams = upstreams.map((one) => ({ ...one, breaker: new CircuitBreaker(breaker), running: 0, failed: 0 }));
  }

  async *#ask(request: TextModelRequest): AsyncGenerator<TextModelChunk> {
    const untried = new Set(ranked(this.upstreams, prefixOf(request.messages)));
    for (let last: unknown; ; ) {
      const upstream = choose([...untried]);
      if (!upstream) throw last ?? this.#noneLeft();
      untried.delete(upstream);
      const state = { isBegun: false };
      try {
        return yield* read(upstream, request, state);
      } catch (error) {
        if (state.isBegun || request.signal?.aborted || !isOfServer(error)) throw error;
        last = error;
      }
    }
  }

  #noneLeft(): Failure {
    const wait = Math.min(...this.upstreams.map(({ breaker }) => breaker.waitMs()));
    const seconds = Math.max(1, Math.ceil(wait / 1000));
    const count = this.upstreams.length;
    const message = `None of the ${count} upstreams of this model can be asked now: each failed several times in a row. Try again in ${seconds}s.`;
    return new Failure("overloaded", message, { code: "no_upstream", retryAfterMs: seconds * 1000 });
  }
}

/** The answer of one server. `isBegun`: a part of it was already yielded. */
async function* read(
  upstream: PooledUpstream,
  request: TextModelRequest,
  state: { isBegun: boolean },
): AsyncGenerator<TextModelChunk> {
  const { breaker, model } = upstream;
  const sent = breaker.begin();
  upstream.running += 1;
  // A reader that stops early leaves a server that works.
  let verdict: Verdict | undefined;
  try {
    for await (const chunk of model(request)) {
      if (!state.isBegun) breaker.answered(sent);
      state.isBegun = true;
      yield chunk;
    }
    verdict = "fine";
  } catch (error) {
    verdict = request.signal?.aborted ? "unknown" : verdictOf(error);
    throw error;
  } finally {
    verdict ??= state.isBegun && !request.signal?.aborted ? "fine" : "unknown";
    upstream.running -= 1;
    if (verdict === "fine") breaker.succeeded(sent);
    else if (verdict === "failed") {
      upstream.failed += 1;
      breaker.failed(sent);
    } else breaker.undecided(sent);
  }
}

/** What the outcome of a request shows about its server; `unknown`: nothing. */
type Verdict = "fine" | "failed" | "unknown";

/**
 * A server that rejects the request itself works; so may an overloaded one. Other errors occur before anything is sent.
 */
function verdictOf(error: unknown): Verdict {
  if (!(error instanceof EndpointError)) return "unknown";
  if (isRefusal(error)) return "fine";
  return error.status === 429 || UNSENT.has(error.code) ? "unknown" : "failed";
}

const UNSENT: ReadonlySet<EndpointErrorCode> = new Set(["unsupported", "api-key"]);

const isRefusal = ({ code, status = 0 }: EndpointError) =>
  code === "http" && (status === 400 || status === 413 || status === 422);

/** Whether another server may succeed. None can after the timeout of the whole request. */
const isOfServer = (error: unknown): boolean =>
  error instanceof EndpointError && !isRefusal(error) && error.code !== "unsupported" && error.code !== "timeout";

/** The first available server, or the least busy one if the first is much busier. */
function choose(ranked: readonly PooledUpstream[]): PooledUpstream | undefined {
  const [first, ...others] = ranked.filter(({ breaker }) => breaker.state() !== "open");
  if (!first) return undefined;
  const least = others.reduce((least, one) => (one.running < least.running ? one : least), first);
  return first.running > TIMES_BUSIER * least.running + REQUESTS_BUSIER ? least : first;
}

/**
 * The servers in the order of preference for a prefix: stable for a prefix, and spread evenly over all prefixes. Adding
 * or removing a server leaves the prefixes of the others where they are (rendezvous hashing, Thaler and Ravishankar
 * 1998).
 */
function ranked(upstreams: readonly PooledUpstream[], prefix: string): PooledUpstream[] {
  const scores = new Map(upstreams.map((one) => [one, hash(`${one.name}\n${prefix}`)]));
  return [...upstreams].sort((a, b) => (scores.get(a)! < scores.get(b)! ? -1 : 1));
}

/**
 * A hash of what all turns of a conversation share: the messages before the first of the user, with system text and
 * tools.
 */
function prefixOf(messages: readonly TextMessage[]): string {
  const count = messages.findIndex(({ role }) => role === "user") + 1;
  return hash(JSON.stringify(messages.slice(0, count || messages.length)));
}

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
