import { isPlainObject } from "@toolingua/core/adapters";

/** The deepest nesting of a call's arguments or a schema: recursive functions write them. */
export const MAX_LEVELS = 1_000;

/**
 * Whether data is nested more than `levels` deep; cyclic data always is. Not recursive, and visits no object twice on a
 * level, because the data may be hostile.
 */
export function isDeeper(data: unknown, levels: number): boolean {
  let layer = new Set([data]);
  for (let level = 0; level <= levels; level++) {
    const next = new Set<unknown>();
    for (const value of layer) {
      if (typeof value === "object" && value !== null) for (const part of Object.values(value)) next.add(part);
    }
    if (next.size === 0) return false;
    layer = next;
  }
  return true;
}

/**
 * Why data cannot be written as JSON and read again; `undefined` if it can. A key with the value `undefined` counts as
 * absent.
 */
export function whyNoJson(data: unknown): string | undefined {
  if (isDeeper(data, MAX_LEVELS)) return `is more than ${MAX_LEVELS} levels deep, or holds itself`;
  const seen = new Set<unknown>([data]);
  for (const value of seen) {
    if (isScalar(value)) continue;
    if (typeof value !== "object" || value === null || !isPlain(value))
      return `holds ${wordsFor(value)}, which JSON lacks`;
    if (Array.isArray(value)) for (const item of value) seen.add(item);
    else for (const part of Object.values(value)) if (part !== undefined) seen.add(part);
  }
  return undefined;
}

const isScalar = (value: unknown): boolean =>
  value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);

/** Whether an array or object is plain data, of this or another realm, without its own `toJSON`. */
export const isPlain = (value: object): boolean => {
  if (Array.isArray(value)) return true;
  return isPlainObject(value) && !("toJSON" in value && typeof value.toJSON === "function");
};

function wordsFor(value: unknown): string {
  if (typeof value === "number" || typeof value === "undefined") return String(value);
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  return `an object of the class ${value.constructor?.name ?? "unknown"}`;
}

/** The steps to the first field whose value is `undefined`. The data is no deeper than {@link MAX_LEVELS}. */
export function undefinedIn(data: unknown): string[] | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  for (const [key, value] of Object.entries(data)) {
    const steps = value === undefined ? [] : undefinedIn(value);
    if (steps) return [key, ...steps];
  }
  return undefined;
}
