import { canonicalJson } from "../../common/canonical-json.js";
import { clip } from "../../common/clip.js";
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
  const least = Math.min(...readings.map(({ distance }) => distance));
  const near = new Map<string, Reading>();
  for (const reading of readings) {
    if (reading.distance > least) continue;
    const text = canonicalJson(reading.value);
    const other = near.get(text);
    if (!other || canonicalJson(reading.repairs.list()) < canonicalJson(other.repairs.list())) near.set(text, reading);
  }
  const texts = [...near.keys()].sort();
  const best = near.get(texts[0]!)!;
  if (least < MISMATCH) {
    if (texts.length === 1) return adopt(best, all);
    all.refuse(clip(`${canonicalJson(value)} could be read as ${texts.join(" or as ")}`, 240), path);
  }
  all.refuseAll(best.repairs);
  return value;
}

/** Whether a text is the JSON of a number, a boolean or null. */
export const isLiteral = (text: unknown, value: unknown): boolean =>
  typeof text === "string" &&
  typeof value !== "string" &&
  (typeof value === "number" ? Number(text) === value : text.trim() === String(value));
