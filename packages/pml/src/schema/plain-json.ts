/** The deepest nesting of a call's arguments or a schema: recursive functions write them. */
const MOST_LEVELS = 1_000;

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

/** Why data cannot be written as JSON; `undefined` if it can. */
export function whyNoJson(data: unknown): string | undefined {
  if (isDeeper(data, MOST_LEVELS)) return `is more than ${MOST_LEVELS} levels deep, or holds itself`;
  try {
    JSON.stringify(data);
    return undefined;
  } catch (error) {
    return `cannot be written as JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
