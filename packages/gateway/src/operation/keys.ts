import { createHash, timingSafeEqual } from "node:crypto";
import type { KeyConfig } from "../config/schema.js";
import { Failure } from "../failure.js";

/** A client with a key. */
export type KeyHolder = Pick<KeyConfig, "name" | "rate" | "concurrency">;

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

/** The configured keys, stored as hashes only. */
export class Keys {
  readonly #known: { hash: Buffer; holder: KeyHolder }[];

  constructor(keys: readonly KeyConfig[]) {
    this.#known = keys.map(({ key, hash, ...holder }) => ({
      hash: hash === undefined ? sha256(key!) : Buffer.from(hash, "hex"),
      holder,
    }));
  }

  /** Whether a key is required. */
  get areNeeded(): boolean {
    return this.#known.length > 0;
  }

  /**
   * The holder of the request's key, from `Authorization: Bearer …` or `x-api-key`. `undefined` if no keys are
   * configured. Compares all hashes, each in constant time.
   *
   * Errors: {@link Failure} `authentication`.
   */
  holderOf(headers: Headers): KeyHolder | undefined {
    if (!this.areNeeded) return undefined;
    const bearer = /^Bearer\s+(.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
    const given = [bearer, headers.get("x-api-key")].filter((key) => typeof key === "string" && key !== "") as string[];
    let holder: KeyHolder | undefined;
    for (const hash of given.map(sha256))
      for (const known of this.#known) if (timingSafeEqual(known.hash, hash)) holder = known.holder;
    if (holder) return holder;
    const message =
      given.length === 0
        ? "The key is missing. Send it as `Authorization: Bearer …` or as `x-api-key`."
        : "The key is unknown.";
    throw new Failure("authentication", message, { code: "invalid_api_key" });
  }
}
