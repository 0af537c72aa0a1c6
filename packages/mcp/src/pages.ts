/** No honest server has more pages of a list; one that gives cursors for ever is stopped here. */
const MOST_PAGES = 1000;
/** Items of a list, and characters of it as JSON: what goes beyond is left out. */
const MOST_ITEMS = 10_000;
const MOST_CHARACTERS = 64_000_000;

/** One page of a list of a server, with the cursor of the next one where there is one. */
export interface Page<T> {
  items: readonly T[];
  nextCursor: unknown;
}

/**
 * The pages of a list, one after the other, until it ends or is too long. `isCut`: there is more than what is given.
 * `longest`: how long it may take, in milliseconds; a page that is being fetched then still counts.
 *
 * Errors: what `fetchPage` throws.
 */
export async function allPages<T>(
  fetchPage: (params: { cursor?: string }) => Promise<Page<T>>,
  longest: number,
): Promise<{ items: T[]; isCut: boolean }> {
  const all: T[] = [];
  const deadline = Date.now() + longest;
  let cursor: string | undefined;
  let characters = 0;
  for (let page = 0; page < MOST_PAGES && Date.now() < deadline; page++) {
    const { items, nextCursor } = await fetchPage(cursor === undefined ? {} : { cursor });
    for (const item of items) {
      if (all.length === MOST_ITEMS || characters >= MOST_CHARACTERS) return { items: all, isCut: true };
      characters += sizeOf(item);
      all.push(item);
    }
    if (typeof nextCursor !== "string") return { items: all, isCut: false };
    if (nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return { items: all, isCut: true };
}

/** How long something is as JSON; endless where it is nested too deeply to be written. */
export function sizeOf(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
