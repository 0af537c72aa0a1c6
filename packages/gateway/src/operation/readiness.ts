import type { ServedModel } from "../models/served-model.js";
import { isReachable } from "../upstreams/is-reachable.js";
import type { PooledUpstream } from "../upstreams/upstream-pool.js";

/** How long the result of a probe is cached, in ms. */
const REMEMBERED = 5000;

/** The readiness of the models. */
export interface Readiness {
  ready: boolean;
  models: Record<string, "ready" | "unreachable">;
  /** The state of each upstream, for models that have several. `open`: the circuit is open after repeated failures. */
  upstreams?: Record<string, Record<string, "ready" | "unreachable" | "open">>;
}

/** Probes the upstreams, at most once in a few seconds. A model is ready if one upstream is. */
export class ReadinessProbe {
  #last: { models: readonly ServedModel[]; at: number; readiness: Promise<Readiness> } | undefined;

  get(models: readonly ServedModel[], now = performance.now()): Promise<Readiness> {
    const last = this.#last;
    if (last && last.models === models && now - last.at < REMEMBERED) return last.readiness;
    const readiness = probe(models);
    this.#last = { models, at: now, readiness };
    return readiness;
  }
}

async function probe(models: readonly ServedModel[]): Promise<Readiness> {
  const upstreams: NonNullable<Readiness["upstreams"]> = {};
  const states = await Promise.all(
    models.map(async (model) => {
      if (model.pool.length === 0) return [model.name, await model.probe()] as const;
      const pool = await Promise.all(model.pool.map(async (one) => [one.name, await stateOf(one)] as const));
      upstreams[model.name] = Object.fromEntries(pool);
      return [model.name, pool.some(([, state]) => state === "ready")] as const;
    }),
  );
  return {
    ready: states.some(([, isReady]) => isReady),
    models: Object.fromEntries(states.map(([name, isReady]) => [name, isReady ? "ready" : "unreachable"])),
    ...(Object.keys(upstreams).length > 0 && { upstreams }),
  };
}

async function stateOf({ baseURL, breaker }: PooledUpstream): Promise<"ready" | "unreachable" | "open"> {
  if (breaker.state() === "open") return "open";
  return (await isReachable(baseURL)) ? "ready" : "unreachable";
}
