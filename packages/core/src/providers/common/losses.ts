import { isMisspelling, nearestNames } from "../../common/nearest-name.js";
import { join } from "../../schema/json.js";
import type { Converted, Loss } from "./types.js";

/**
 * Collects the losses of one conversion.
 *
 * @example converted((losses) => { losses.add("/name", "name", "has no counterpart here"); return text; });
 */
export class Losses {
  readonly list: Loss[] = [];

  /** `instead`: the places, as read back, that express the same in another way. */
  add(path: string, what: string, why: string, instead: readonly string[] = []): void {
    this.list.push({ path, what, why, ...(instead.length > 0 && { instead: [...instead] }) });
  }

  /** Reports every key with a value that is not among the converted ones. */
  rest(object: Record<string, unknown>, converted: readonly string[], path: string): void {
    for (const [key, value] of Object.entries(object)) {
      if (converted.includes(key) || saysNothing(value)) continue;
      const { meant } = nearestNames(key, converted);
      const isMisspelt = meant !== undefined && saysNothing(object[meant]) && isMisspelling(key, meant);
      const hint = isMisspelt ? `. Did you mean ${JSON.stringify(meant)}?` : "";
      const why = `has no counterpart here${hint}`;
      this.list.push({ path: join(path, key), what: key, why, ...(isMisspelt && { meant }) });
    }
  }
}

/** Why a tool of a provider's is lost. */
export const BUILT_IN = "is built into the provider's server";

const saysNothing = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === false ||
  ((Array.isArray(value) || value === "") && value.length === 0);

/**
 * Runs a conversion and returns its value and losses. Errors: those of `convert`.
 *
 * @example converted((losses) => write(document, losses)); // { value, losses }
 */
export function converted<T>(convert: (losses: Losses) => T): Converted<T> {
  const losses = new Losses();
  return { value: convert(losses), losses: losses.list };
}

/** Converts a list, each item by itself. */
export function convertedEach<From, To>(
  items: readonly From[],
  convert: (item: From, path: string, losses: Losses) => To,
): Converted<To[]> {
  return converted((losses) => items.map((item, i) => convert(item, join("", i), losses)));
}

/** Converts a list; an item may become none or several. */
export function convertedFlat<From, To>(
  items: readonly From[],
  convert: (item: From, path: string, losses: Losses) => readonly To[],
): Converted<To[]> {
  return converted((losses) => items.flatMap((item, i) => convert(item, join("", i), losses)));
}
