import { canonicalJson } from "../common/canonical-json.js";
import { clip } from "../common/clip.js";

/** A key of an object, and where the object is. */
interface Place {
  key: string;
  path: string;
}

/** Keys that occur more than once in one object. The last value wins; two different values are two readings. */
export class RepeatedKeys {
  /** The previous value of each key. */
  private readonly before = new Map<Record<string, unknown>, Map<string, Place & { value: unknown }>>();
  private found: Place | undefined;

  /** Notes that a key with this complete value gets another one. `path`: the path of the object. */
  add(container: Record<string, unknown>, key: string, value: unknown, path = ""): void {
    const keys = this.before.get(container) ?? new Map();
    const last = keys.get(key);
    if (last && !isRepeated(last.value, value)) this.found ??= last;
    this.before.set(container, keys.set(key, { key, path, value }));
  }

  /** A key with different values, once all of them are complete. */
  get contradiction(): Place | undefined {
    if (this.found) return this.found;
    for (const [container, keys] of this.before) {
      for (const place of keys.values()) {
        if (Object.hasOwn(container, place.key) && !isRepeated(place.value, container[place.key])) return place;
      }
    }
    return undefined;
  }
}

/** Whether a value repeats an earlier one; a list may have grown. */
const isRepeated = (before: unknown, value: unknown) =>
  isSame(before, Array.isArray(before) && Array.isArray(value) ? value.slice(0, before.length) : value);

/** The message for the model about such a key. */
export const repeatedKeyMessage = (key: string) =>
  `the key ${JSON.stringify(clip(key, 80))} comes twice, with different values`;

/** Whether two JSON values are equal. */
export const isSame = (a: unknown, b: unknown) =>
  a === b || (typeof a === "object" && typeof b === "object" && canonicalJson(a) === canonicalJson(b));
