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
 * The gateway compares `owner` itself.
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
  get(id: string): Promise<StoredResponse | undefined>;
  put(stored: StoredResponse): Promise<void>;
  delete(id: string): Promise<void>;
}

/**
 * Keeps responses in memory, as text: at most `size` characters, those that were not used for longest are forgotten first, each
 * for `ttl` seconds.
 */
export function memoryStore({ size, ttl }: { size: number; ttl: number }): ResponseStore {
  const known = new LRUCache<string, string>({
    maxSize: size,
    sizeCalculation: (text) => text.length,
    ttl: Math.ceil(ttl * 1000),
  });
  return {
    async get(id) {
      const text = known.get(id);
      return text === undefined ? undefined : (JSON.parse(text) as StoredResponse);
    },
    async put(stored) {
      known.set(stored.id, JSON.stringify(stored));
    },
    async delete(id) {
      known.delete(id);
    },
  };
}
