import type { ServedModel } from "../models/served-model.js";
import type { PooledUpstream } from "../upstreams/upstream-pool.js";

/** How long an upstream is asked whether it is there, and how long its answer counts, in ms. */
const TIMEOUT = 2000;
const REMEMBERED = 5000;

/** Whether the models can be asked. */
export interface Readiness {
  ready: boolean;
  models: Record<string, "ready" | "unreachable">;
  /** Of models with several upstreams, each of these. `open`: it failed too often, and is not asked for now. */
  upstreams?: Record<string, Record<string, "ready" | "unreachable" | "open">>;
}

/** Asks the upstreams whether they are there, not more often than every few seconds. Ready: one of them is. */
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

async function stateOf({ url, breaker }: PooledUpstream): Promise<"ready" | "unreachable" | "open"> {
  if (breaker.state() === "open") return "open";
  return (await isReachable(url)) ? "ready" : "unreachable";
}

/** Whether a server answers at all: one that wants a key, or has no list of models, is there as well. */
export async function isReachable(url: string): Promise<boolean> {
  try {
    const models = new URL(url);
    models.pathname = `${models.pathname.replace(/\/+$/, "")}/models`;
    const response = await fetch(models, {
      signal: AbortSignal.timeout(TIMEOUT),
      redirect: "manual",
    });
    await response.body?.cancel();
    return response.status < 500;
  } catch {
    return false;
  }
}
