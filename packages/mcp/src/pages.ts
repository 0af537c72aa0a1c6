/** The most pages of a list: it stops servers that return cursors without end. */
const MAX_PAGES = 1000;
/** The most items of a list, and characters of it as JSON. The rest is omitted. */
const MAX_ITEMS = 10_000;
const MAX_CHARACTERS = 64_000_000;

/** One page of a server's list, with the cursor of the next one if there is one. */
export interface Page<T> {
  items: readonly T[];
  nextCursor: unknown;
}

/**
 * Fetches the pages of a list in order, until it ends or reaches a limit. `isCut`: the list is truncated. `longest`:
 * the time limit in milliseconds; a page that is already being fetched still counts.
 *
 * Errors: those of `fetchPage`.
 */
export async function allPages<T>(
  fetchPage: (params: { cursor?: string }) => Promise<Page<T>>,
  longest: number,
): Promise<{ items: T[]; isCut: boolean }> {
  const all: T[] = [];
  const deadline = Date.now() + longest;
  let cursor: string | undefined;
  let characters = 0;
  for (let page = 0; page < MAX_PAGES && Date.now() < deadline; page++) {
    const { items, nextCursor } = await fetchPage(cursor === undefined ? {} : { cursor });
    for (const item of items) {
      if (all.length === MAX_ITEMS || characters >= MAX_CHARACTERS) return { items: all, isCut: true };
      characters += sizeOf(item);
      all.push(item);
    }
    // Some servers end a list with an empty cursor.
    if (typeof nextCursor !== "string" || nextCursor === "") return { items: all, isCut: false };
    if (nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return { items: all, isCut: true };
}

/** The length of a value as JSON; infinite if it is nested too deeply to be written. */
export function sizeOf(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
