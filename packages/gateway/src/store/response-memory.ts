import { Failure } from "../failure.js";
import type { ResponseStore, StoredResponse } from "./response-store.js";

/** The stored responses of one owner. Responses of other owners are not found. */
export class ResponseMemory {
  /** `store`: `undefined` if none is configured. */
  constructor(
    private readonly store: ResponseStore | undefined,
    private readonly owner: string,
  ) {}

  get isConfigured(): boolean {
    return this.store !== undefined;
  }

  /** `words`: the code and the field of the error. Errors: {@link Failure} `not-found`. */
  async get(
    id: string,
    words: { code: string; param?: string } = { code: "response_not_found" },
  ): Promise<StoredResponse> {
    const found = await this.store?.get(id, this.owner);
    if (found && found.owner === this.owner) return found;
    const why = this.store ? "" : " The gateway has no `store`.";
    throw new Failure("not-found", `There is no response "${id.slice(0, 100)}".${why}`, words);
  }

  async put(input: unknown[], response: StoredResponse["response"]): Promise<void> {
    await this.store?.put({ id: response.id, owner: this.owner, input, response });
  }

  /** Errors: {@link Failure} `not-found`. */
  async delete(id: string): Promise<void> {
    await this.get(id);
    await this.store?.delete(id, this.owner);
  }
}
