import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { OptionsError } from "@toolingua/core";
import type { Llama } from "node-llama-cpp";

/** Thread counts: for reading the prompt (a maximum), and for generating token after token. */
export interface Threads {
  prefill: number;
  decode: number;
  /** Whether to read with fewer threads while other programs use the cores. */
  yielding: boolean;
}

/** The cores that this process may use. Respects a container's CPU quota, which Node 20 ignores. */
export function usableCores(): number {
  const cores = availableParallelism();
  try {
    // "max 100000" or "150000 100000": https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu-interface-files
    const [quota, period] = readFileSync("/sys/fs/cgroup/cpu.max", "utf8").split(" ").map(Number);
    if (quota && period) return Math.max(1, Math.min(cores, Math.floor(quota / period)));
  } catch {
    // no cgroup v2: no quota
  }
  return cores;
}

/**
 * Completes a choice of threads. llama.cpp's threads wait for each other by spinning, several hundred times a token.
 * One thread delayed by another program delays all, so a thread too many costs far more than one too few: on 2 cores,
 * generating with 2 threads measured between as fast as 1 thread and 20 times slower. Reading is arithmetic and gains
 * from every idle core. Generating is bound by memory, and Node samples between two tokens, so it gets half of the
 * cores.
 */
export function chooseThreads(
  wanted: number | { prefill?: number | undefined; decode?: number | undefined } | undefined,
  cores: number,
): Threads {
  const choice = typeof wanted === "number" ? { prefill: wanted, decode: wanted } : (wanted ?? {});
  const { prefill = cores, decode = Math.max(1, Math.floor(cores / 2)) } = choice;
  for (const count of [prefill, decode]) {
    if (!Number.isInteger(count) || count < 1)
      throw new OptionsError("bad-option", `\`threads\` is a whole number from 1, not ${count}.`);
  }
  return { prefill, decode, yielding: choice.prefill === undefined };
}

/** The number of threads to read with now. */
export function threadsForReading({ prefill, yielding }: Threads, idle = idleCores()): number {
  return yielding ? Math.max(1, Math.min(prefill, idle)) : prefill;
}

/** Cores of the whole machine that were idle in the last minute. (Windows reports no load, so all count as idle.) */
const idleCores = () => Math.round(cpus().length - (loadavg()[0] ?? 0));

/**
 * Sets llama.cpp's thread limit to the demand of the running calls. node-llama-cpp has one thread count per context;
 * only this limit, which it applies at every batch, allows different counts for reading and generating. Calls of one
 * context run in one batch, so their largest demand counts. Contexts run in parallel, so their demands add up.
 */
export class ThreadGovernor {
  readonly #demands = new Map<object, { context: object; threads: number }>();
  readonly #llama: Pick<Llama, "maxThreads">;

  constructor(llama: Pick<Llama, "maxThreads">) {
    this.#llama = llama;
  }

  /** Requests this many threads for `context`, until `owner` releases them. */
  demand(owner: object, context: object, threads: number): void {
    this.#demands.set(owner, { context, threads });
    this.#apply();
  }

  release(owner: object): void {
    this.#demands.delete(owner);
    this.#apply();
  }

  #apply(): void {
    const largest = new Map<object, number>();
    for (const { context, threads } of this.#demands.values())
      largest.set(context, Math.max(threads, largest.get(context) ?? 0));
    if (largest.size > 0) this.#llama.maxThreads = [...largest.values()].reduce((sum, threads) => sum + threads);
  }
}
