import { createHash } from "node:crypto";
import type { TextMessage, TextModel, TextModelChunk, TextModelRequest } from "@toolingua/core";
import { EndpointError, type EndpointErrorCode } from "@toolingua/endpoints";
import { Failure } from "../failure.js";
import { CircuitBreaker } from "./circuit-breaker.js";

/** One of several servers of a model. */
export interface PooledUpstream {
  name: string;
  url: string;
  model: TextModel;
  breaker: CircuitBreaker;
  /** How many requests it is answering. */
  running: number;
  /** How many requests failed by its fault. */
  failed: number;
}

/** How much busier than the least busy one a server may be, and keep its conversations: this many times, and this many requests more. */
const TIMES_BUSIER = 2;
const REQUESTS_BUSIER = 2;

/**
 * Several servers of one model, as one. A conversation stays with one server, whose prefix cache knows it, unless that is much
 * busier than another. What fails before its first chunk is asked of another server. One that fails again and again is
 * not asked for a while.
 *
 * Errors, when it is asked: those of the last server; {@link Failure} `overloaded` where none may be asked.
 */
export class UpstreamPool {
  readonly upstreams: readonly PooledUpstream[];
  readonly model: TextModel = (request) => this.#ask(request);

  constructor(
    upstreams: readonly Pick<PooledUpstream, "name" | "url" | "model">[],
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
    const retryAfter = Math.max(1, Math.ceil(wait / 1000));
    const count = this.upstreams.length;
    const message = `None of the ${count} upstreams of this model can be asked now: each failed several times in a row. Try again in ${retryAfter}s.`;
    return new Failure("overloaded", message, { code: "no_upstream", retryAfter });
  }
}

/** What one server answers. `isBegun`: something of it was given. */
async function* read(
  upstream: PooledUpstream,
  request: TextModelRequest,
  state: { isBegun: boolean },
): AsyncGenerator<TextModelChunk> {
  const { breaker, model } = upstream;
  const sent = breaker.begin();
  upstream.running += 1;
  // A reader that has enough leaves a server that answers.
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
      breaker.failed();
    } else breaker.undecided(sent);
  }
}

/** What a request says of its server; `unknown`: nothing. */
type Verdict = "fine" | "failed" | "unknown";

/** A server that refuses the request itself works; one that has much to do may. Other errors come before anything is sent. */
function verdictOf(error: unknown): Verdict {
  if (!(error instanceof EndpointError)) return "unknown";
  if (isRefusal(error)) return "fine";
  return error.status === 429 || UNSENT.has(error.code) ? "unknown" : "failed";
}

const UNSENT: ReadonlySet<EndpointErrorCode> = new Set(["unsupported", "api-key"]);

const isRefusal = ({ code, status = 0 }: EndpointError) =>
  code === "http" && (status === 400 || status === 413 || status === 422);

/** Whether another server may do better. Where the time of the whole request is over, none would. */
const isOfServer = (error: unknown): boolean =>
  error instanceof EndpointError && !isRefusal(error) && error.code !== "unsupported" && error.code !== "timeout";

/** The first of these servers that may be asked, or the least busy one where that is much busier. */
function choose(ranked: readonly PooledUpstream[]): PooledUpstream | undefined {
  const [first, ...others] = ranked.filter(({ breaker }) => breaker.state() !== "open");
  if (!first) return undefined;
  const least = others.reduce((least, one) => (one.running < least.running ? one : least), first);
  return first.running > TIMES_BUSIER * least.running + REQUESTS_BUSIER ? least : first;
}

/**
 * The servers in the order of a prefix: the same for the same prefix, and evenly spread over all prefixes. Where one is added or
 * taken away, the others keep their prefixes (rendezvous hashing, Thaler and Ravishankar 1998).
 */
function ranked(upstreams: readonly PooledUpstream[], prefix: string): PooledUpstream[] {
  const scores = new Map(upstreams.map((one) => [one, hash(`${one.name}\n${prefix}`)]));
  return [...upstreams].sort((a, b) => (scores.get(a)! < scores.get(b)! ? -1 : 1));
}

/** What all turns of a conversation begin with, as a hash: system text and tools, up to the first message of the user. */
function prefixOf(messages: readonly TextMessage[]): string {
  const count = messages.findIndex(({ role }) => role === "user") + 1;
  return hash(JSON.stringify(messages.slice(0, count || messages.length)));
}

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
