import { LRUCache } from "lru-cache";

/** A response that later ones can refer to. All of it is JSON. */
export interface StoredResponse {
  id: string;
  /** Whose it is: the name of the key's holder; empty where no keys are configured. */
  owner: string;
  /** The items before it: those of its request, after those of earlier responses. */
  input: unknown[];
  /** The response as the client was given it. */
  response: { id: string; output: unknown[]; [field: string]: unknown };
}

/**
 * Where responses are kept for `previous_response_id`. Several gateways can share one. What a store throws fails the request.
 * `owner` is whose response is looked for; a store need not heed it, since the gateway compares it with the one found.
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
  /** `undefined`: there is none, or none any longer. */
  get(id: string, owner: string): Promise<StoredResponse | undefined>;
  put(stored: StoredResponse): Promise<void>;
  delete(id: string, owner: string): Promise<void>;
}

/**
 * Keeps responses in memory, as text: of each owner at most `size` characters, those that were not used for longest are
 * forgotten first, each for `ttl` seconds.
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
