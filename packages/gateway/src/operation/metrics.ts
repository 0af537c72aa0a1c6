import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ServedModel } from "../models/served-model.js";
import type { RequestRecord } from "./request-record.js";

/** Bucket bounds in seconds, from the gateway's own overhead to the longest answers. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250];

/** The labels of each metric of an upstream. */
const UPSTREAM = ["model", "upstream"] as const;

/** Prometheus metrics. Labels have few values: models by their configured names, never text from clients. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#counter("requests_total", "Requests that were answered", ["api", "model", "status"]);
  readonly #tokens = this.#counter("tokens_total", "Tokens of prompts and replies", ["model", "type"]);
  readonly #cached = this.#counter("cached_tokens_total", "Tokens of prompts that were read from a cache", ["model"]);
  readonly #calls = this.#counter("calls_total", "Calls that were given", ["model"]);
  readonly #retries = this.#counter("reply_retries_total", "How often a model was asked again", ["model"]);
  readonly #duration = this.#histogram("request_duration_seconds", "From a request to the end of its answer");
  readonly #first = this.#histogram("first_event_seconds", "From a request to the first event of its stream");
  readonly running = this.#gauge("requests_running", "Requests that are being answered", []);
  readonly #upstreamFailures = this.#counter("upstream_failures_total", "Requests that an upstream failed", UPSTREAM);
  readonly #upstreamRunning = this.#gauge("upstream_requests_running", "Requests at an upstream", UPSTREAM);
  readonly #upstreamOpen = this.#gauge("upstream_open", "1: the upstream failed too often, and is not asked", UPSTREAM);

  /** Counts a finished request. */
  add({ api, model = "", status, ms, firstMs, usage, calls = 0, attempts = 0, replies = 0 }: RequestRecord): void {
    this.#requests.inc({ api, model, status });
    this.#duration.observe({ api, model }, ms / 1000);
    if (firstMs !== undefined) this.#first.observe({ api, model }, firstMs / 1000);
    if (calls > 0) this.#calls.inc({ model }, calls);
    if (attempts > replies) this.#retries.inc({ model }, attempts - replies);
    if (!usage) return;
    this.#tokens.inc({ model, type: "input" }, usage.inputTokens);
    this.#tokens.inc({ model, type: "output" }, usage.outputTokens);
    this.#cached.inc({ model }, usage.cacheReadTokens ?? 0);
  }

  /** The metrics in Prometheus' text format, including the state of these models' upstreams. */
  text(models: readonly ServedModel[]): Promise<string> {
    for (const metric of [this.#upstreamFailures, this.#upstreamRunning, this.#upstreamOpen]) metric.reset();
    for (const { name: model, pool } of models)
      for (const { name: upstream, failed, running, breaker } of pool) {
        const labels = { model, upstream };
        this.#upstreamFailures.inc(labels, failed);
        this.#upstreamRunning.set(labels, running);
        this.#upstreamOpen.set(labels, breaker.state() === "open" ? 1 : 0);
      }
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name: `toolingua_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> {
    return new Gauge({ name: `toolingua_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #histogram(name: string, help: string): Histogram<"api" | "model"> {
    const labelNames = ["api", "model"] as const;
    return new Histogram({
      name: `toolingua_${name}`,
      help,
      labelNames,
      buckets: BUCKETS,
      registers: [this.#registry],
    });
  }
}
