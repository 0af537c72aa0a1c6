import type { ServedModel } from "../models/served-model.js";

/** How long an upstream is asked whether it is there, and how long its answer counts, in ms. */
const TIMEOUT = 2000;
const REMEMBERED = 5000;

/** Whether the models can be asked. */
export interface Readiness {
  ready: boolean;
  models: Record<string, "ready" | "unreachable">;
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
  const states = await Promise.all(
    models.map(async ({ name, probe }) => [name, (await probe()) ? "ready" : "unreachable"] as const),
  );
  return { ready: states.some(([, state]) => state === "ready"), models: Object.fromEntries(states) };
}

/** Whether a server answers at all: one that wants a key, or has no list of models, is there as well. */
export async function isReachable(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url.replace(/\/+$/, "")}/models`, {
      signal: AbortSignal.timeout(TIMEOUT),
      redirect: "manual",
    });
    await response.body?.cancel();
    return response.status < 500;
  } catch {
    return false;
  }
}
