import { deepCompareStrict } from "@cfworker/json-schema";

/** Keys that came more than once in one object, of which the last value counts: two different values are two readings. */
export class RepeatedKeys {
  private readonly seen: { container: Record<string, unknown>; key: string; path: string; value: unknown }[] = [];

  /** The key has this value now, or would have, and gets another one. `path`: where the object is. */
  add(container: Record<string, unknown>, key: string, value: unknown, path = ""): void {
    this.seen.push({ container, key, path, value });
  }

  /** A key whose values differ, once all of them are complete. */
  get contradiction(): { key: string; path: string } | undefined {
    return this.seen.find(
      ({ container, key, value }) => Object.hasOwn(container, key) && !goesOn(value, container[key]),
    );
  }
}

/** Whether a value says what another one said before it; a list may have grown. */
const goesOn = (before: unknown, value: unknown) =>
  isSame(before, Array.isArray(before) && Array.isArray(value) ? value.slice(0, before.length) : value);

/** What is wrong with such a key, for the model that wrote it. */
export const repeatedKey = (key: string) => {
  const name = key.length > 80 ? `${key.slice(0, 80)}…` : key;
  return `the key ${JSON.stringify(name)} comes twice, with different values`;
};

/** Whether two values of JSON are equal. */
export const isSame = (a: unknown, b: unknown) =>
  a === b || (typeof a === "object" && typeof b === "object" && deepCompareStrict(a, b));
