import { canonicalJson } from "../../common/canonical-json.js";
import { clip } from "../../common/clip.js";
import { isSame } from "../../notation/repeated-keys.js";
import type { Repairs } from "./repairs.js";

/** What an alternative of a schema makes of a value. */
export interface Attempt {
  readonly value: unknown;
  readonly repairs: Repairs;
}

/** An attempt, and how far it is from what was written. */
export interface Reading extends Attempt {
  readonly distance: number;
}

/** How much farther a reading is that its alternative does not match than one with a repair. */
export const MISMATCH = 1000;

/** The value of an attempt; its repairs are those of the call. */
export function adopt({ value, repairs }: Attempt, all: Repairs): unknown {
  all.refuseAll(repairs);
  all.addAll(repairs);
  return value;
}

/**
 * The value of the nearest reading that matches. If there are several of them, none is chosen: the call has two readings. The
 * order of the readings decides nothing.
 */
export function choose(value: unknown, path: string, readings: readonly Reading[], all: Repairs): unknown {
  const [best, ...others] = nearest(readings);
  if (!best) return value;
  const matches = best.distance < MISMATCH;
  if (matches && others.length === 0) return adopt(best, all);
  if (matches) all.refuse(manyReadings(value, [best, ...others]), path);
  all.refuseAll(best.repairs);
  return value;
}

/** The nearest readings, one for each value. */
function nearest(readings: readonly Reading[]): Reading[] {
  const least = Math.min(...readings.map(({ distance }) => distance));
  const near = readings.filter(({ distance }) => distance === least);
  if (near.length < 2) return near;
  const sorted = near
    .map((reading) => ({ reading, text: `${canonicalJson(reading.value)} ${canonicalJson(reading.repairs.list())}` }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ reading }) => reading);
  return sorted.filter(({ value }, i) => sorted.findIndex((other) => isSame(other.value, value)) === i);
}

const manyReadings = (value: unknown, readings: readonly Reading[]): string =>
  `${shown(value)} could be read as ${readings.map((reading) => shown(reading.value)).join(" or as ")}`;

const shown = (value: unknown) => clip(canonicalJson(value), 80);

/** Whether a text is the JSON of a number, a boolean or null. */
export function isLiteral(text: unknown, value: unknown): boolean {
  if (typeof text !== "string" || text.length > MAX_LITERAL || typeof value === "string" || Object(value) === value)
    return false;
  try {
    return JSON.parse(text) === value;
  } catch {
    return false;
  }
}

const MAX_LITERAL = 64;
