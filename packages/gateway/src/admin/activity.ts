import type { RequestRecord } from "../operation/request-record.js";

/** How many failures are kept. */
const REMEMBERED = 50;

/** The activity of a model since the gateway started. */
export interface ModelActivity {
  requests: number;
  failed: number;
  calls: number;
  /** How many times the model was asked again after an invalid call. */
  retries: number;
}

/** The activity since the gateway started, for the admin page. Models have their configured names. */
export class Activity {
  readonly #models = new Map<string, ModelActivity>();
  readonly #failures: RequestRecord[] = [];

  /** Counts a finished request. */
  add(record: RequestRecord): void {
    const { model, error, calls = 0, attempts = 0, replies = 0 } = record;
    if (error && this.#failures.push(record) > REMEMBERED) this.#failures.shift();
    if (model === undefined) return;
    const sum = this.of(model);
    sum.requests += 1;
    sum.failed += error ? 1 : 0;
    sum.calls += calls;
    sum.retries += Math.max(0, attempts - replies);
    this.#models.set(model, sum);
  }

  of(model: string): ModelActivity {
    return this.#models.get(model) ?? { requests: 0, failed: 0, calls: 0, retries: 0 };
  }

  /** The last failures, newest first. */
  get failures(): RequestRecord[] {
    return this.#failures.toReversed();
  }
}
