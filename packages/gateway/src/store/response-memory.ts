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

  /**
   * `param`: the field of a request that has the id. Errors: {@link Failure} `not-found`; with `param` `invalid`, as at
   * OpenAI.
   */
  async get(id: string, param?: string): Promise<StoredResponse> {
    const found = await this.store?.get(id, this.owner);
    if (found && found.owner === this.owner) return found;
    const why = this.store ? "" : " The gateway has no `store`.";
    const message = `There is no response "${id.slice(0, 100)}".${why}`;
    if (param === undefined) throw new Failure("not-found", message, { code: "response_not_found" });
    throw new Failure("invalid", message, { code: "previous_response_not_found", param });
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
