import type { JsonObject } from "../../schema/json.js";

/** The keywords of a schema, which a conversion takes one by one. */
export class Keywords {
  private readonly taken = new Set<string>();

  constructor(readonly all: JsonObject) {}

  take(key: string): unknown {
    this.taken.add(key);
    return Object.hasOwn(this.all, key) ? this.all[key] : undefined;
  }

  takeIf(key: string, isRight: (value: unknown) => boolean): unknown {
    return isRight(this.all[key]) ? this.take(key) : undefined;
  }

  /** The keywords that were not taken. */
  left(): string[] {
    return Object.keys(this.all).filter((key) => !this.taken.has(key));
  }
}
