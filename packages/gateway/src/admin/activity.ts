import type { RequestRecord } from "../operation/request-record.js";

/** How many failures are remembered. */
const REMEMBERED = 50;

/** What a model did since the gateway began. */
export interface ModelActivity {
  requests: number;
  failed: number;
  calls: number;
  /** How often it was asked again. */
  repairs: number;
}

/** What happened since the gateway began, for the admin page. Models are those by their configured names. */
export class Activity {
  readonly #models = new Map<string, ModelActivity>();
  readonly #failures: RequestRecord[] = [];

  /** Counts a request that is over. */
  add(record: RequestRecord): void {
    const { model, error, calls = 0, attempts = 0, replies = 0 } = record;
    if (error && this.#failures.push(record) > REMEMBERED) this.#failures.shift();
    if (model === undefined) return;
    const sum = this.of(model);
    sum.requests += 1;
    sum.failed += error ? 1 : 0;
    sum.calls += calls;
    sum.repairs += Math.max(0, attempts - replies);
    this.#models.set(model, sum);
  }

  of(model: string): ModelActivity {
    return this.#models.get(model) ?? { requests: 0, failed: 0, calls: 0, repairs: 0 };
  }

  /** The last failures, the newest first. */
  get failures(): RequestRecord[] {
    return this.#failures.toReversed();
  }
}
