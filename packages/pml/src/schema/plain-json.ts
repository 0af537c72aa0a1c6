/** How many levels the arguments of a call, or a schema, may have: what writes them calls itself for each. */
const MOST_LEVELS = 1_000;

/**
 * Whether data is more than so many levels deep, as is what holds itself. Never calls itself, and looks at no object twice on a
 * level: the data may be hostile.
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

/** Why data cannot be written as JSON; `undefined` where it can. */
export function whyNoJson(data: unknown): string | undefined {
  if (isDeeper(data, MOST_LEVELS)) return `is more than ${MOST_LEVELS} levels deep, or holds itself`;
  try {
    JSON.stringify(data);
    return undefined;
  } catch (error) {
    return `cannot be written as JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
