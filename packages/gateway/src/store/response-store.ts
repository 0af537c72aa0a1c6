import { LRUCache } from "lru-cache";

/** A response that a later request can refer to. A JSON value. */
export interface StoredResponse {
  id: string;
  /** The owner: the name of the key's holder; empty if no keys are configured. */
  owner: string;
  /** The items before the response: those of earlier responses, then those of its request. */
  input: unknown[];
  /** The response as sent to the client. */
  response: { id: string; output: unknown[]; [field: string]: unknown };
}

/**
 * Stores responses for `previous_response_id`. Several gateways can share one store. An exception of the store fails
 * the request. `owner` is the owner of the requested response; a store may ignore it, since the gateway compares it
 * with the stored one.
 *
 * @example
 * const store: ResponseStore = {
 *   get: async (id) => JSON.parse((await redis.get(id)) ?? "null") ?? undefined,
 *   put: async (stored) => void (await redis.set(stored.id, JSON.stringify(stored), { EX: 3600 })),
 *   delete: async (id) => void (await redis.del(id)),
 * };
 * const gateway = createGateway(config, { store });
 */
export interface ResponseStore {
  /** Resolves with `undefined` if there is no such response, or it has expired. */
  get(id: string, owner: string): Promise<StoredResponse | undefined>;
  put(stored: StoredResponse): Promise<void>;
  delete(id: string, owner: string): Promise<void>;
}

/**
 * Keeps responses in memory, as text: at most `size` characters for each owner, for `ttl` seconds. Drops the least
 * recently used responses first.
 */
export function memoryStore({ size, ttl }: { size: number; ttl: number }): ResponseStore {
  const owners = new Map<string, LRUCache<string, string>>();
  function ofOwner(owner: string): LRUCache<string, string> {
    let known = owners.get(owner);
    if (!known) {
      known = new LRUCache({ maxSize: size, sizeCalculation: (text) => text.length, ttl: Math.ceil(ttl * 1000) });
      owners.set(owner, known);
    }
    return known;
  }
  return {
    async get(id, owner) {
      const text = ofOwner(owner).get(id);
      return text === undefined ? undefined : (JSON.parse(text) as StoredResponse);
    },
    async put(stored) {
      ofOwner(stored.owner).set(stored.id, JSON.stringify(stored));
    },
    async delete(id, owner) {
      ofOwner(owner).delete(id);
    },
  };
}
