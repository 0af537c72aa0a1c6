import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import type { Llama } from "node-llama-cpp";
import { LlamaCppError } from "../errors.js";

/** Threads for reading the prompt (at most), and for writing token after token. */
export interface Threads {
  prefill: number;
  decode: number;
  /** Use fewer for reading while other programs keep the machine busy. */
  yielding: boolean;
}

/** The cores this process may use. A container's CPU quota counts, which Node 20 does not see. */
export function usableCores(): number {
  const cores = availableParallelism();
  try {
    // "max 100000" or "150000 100000": https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu-interface-files
    const [quota, period] = readFileSync("/sys/fs/cgroup/cpu.max", "utf8").split(" ").map(Number);
    if (quota && period) return Math.max(1, Math.min(cores, Math.floor(quota / period)));
  } catch {
    // no cgroup v2: nothing to respect
  }
  return cores;
}

/**
 * Completes a choice of threads. llama.cpp's threads wait for each other by spinning, several hundred times a token. One
 * that is held up by another program holds up all, so a thread too many costs far more than one too few: on 2 cores,
 * 2 threads were measured from as fast as 1 to 20 times slower at writing. Reading is arithmetic and gains from every
 * core that is idle; writing is bound by memory, and Node samples between two tokens, so it gets half of the cores.
 */
export function chooseThreads(
  wanted: number | { prefill?: number | undefined; decode?: number | undefined } | undefined,
  cores: number,
): Threads {
  const choice = typeof wanted === "number" ? { prefill: wanted, decode: wanted } : (wanted ?? {});
  const { prefill = cores, decode = Math.max(1, Math.floor(cores / 2)) } = choice;
  for (const count of [prefill, decode]) {
    if (!Number.isInteger(count) || count < 1)
      throw new LlamaCppError("bad-option", `\`threads\` is a whole number from 1, not ${count}.`);
  }
  return { prefill, decode, yielding: choice.prefill === undefined };
}

/** How many threads to read with now. */
export function threadsForReading({ prefill, yielding }: Threads, idle = idleCores()): number {
  return yielding ? Math.max(1, Math.min(prefill, idle)) : prefill;
}

/** Cores of the whole machine that had nothing to do in the last minute. (Windows does not say: there, all.) */
const idleCores = () => Math.round(cpus().length - (loadavg()[0] ?? 0));

/**
 * Holds llama.cpp's limit on threads at what the calls now running want. node-llama-cpp takes one number of threads per
 * context; this limit, which it applies at every batch, is what lets reading and writing differ. Calls of one context run
 * in one batch, so the largest demand counts; contexts run side by side, so their demands add up.
 */
export class ThreadGovernor {
  readonly #demands = new Map<object, { context: object; threads: number }>();
  readonly #llama: Pick<Llama, "maxThreads">;

  constructor(llama: Pick<Llama, "maxThreads">) {
    this.#llama = llama;
  }

  /** Until released, `owner` wants this many threads for its context. */
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
