import type { Syntax } from "../../protocol.js";
import type { ToolDefinition } from "../../types.js";

/** What is kept of the grammars made. */
export interface GrammarCacheInfo {
  /** How many there are. */
  entries: number;
  /** What they take, in bytes: the text, which is nearly all. */
  bytes: number;
}

/** The most bytes kept: some hundred tool sets. */
const MOST_BYTES = 4_000_000;

/** By key, the longest unused first. */
const kept = new Map<string, { made: { grammar: string }; bytes: number }>();
let bytes = 0;

let lastId = 0;
const ids = new WeakMap<object, number>();
const lists = new WeakMap<readonly ToolDefinition[], { members: readonly ToolDefinition[]; id: string }>();

function idOf(object: object): number {
  let id = ids.get(object);
  if (id === undefined) {
    id = ++lastId;
    ids.set(object, id);
  }
  return id;
}

/** A list of the same tools, in the same order, is the same tool set. */
function idOfTools(tools: readonly ToolDefinition[]): string {
  const known = lists.get(tools);
  if (known && known.members.length === tools.length && known.members.every((tool, i) => tool === tools[i]))
    return known.id;
  const id = tools.map(idOf).join();
  lists.set(tools, { members: [...tools], id });
  return id;
}

/** The same, and nobody can change it: all who ask get the one that is kept. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/**
 * What `make` gives for these tools, made once: for the same tools, which nobody changes. The latest used are kept, up to
 * {@link MOST_BYTES}.
 */
export function cached<T extends { grammar: string }>(
  tools: readonly ToolDefinition[],
  syntax: Syntax,
  key: string,
  make: () => T,
): T {
  const whole = `${idOf(syntax)} ${idOfTools(tools)} ${key}`;
  const known = kept.get(whole);
  if (known) {
    kept.delete(whole);
    kept.set(whole, known);
    return known.made as T;
  }
  const made = frozen(make());
  const { grammar, ...rest } = made;
  const size = whole.length + grammar.length + JSON.stringify(rest).length;
  kept.set(whole, { made, bytes: size });
  bytes += size;
  for (const [oldest, entry] of kept) {
    if (bytes <= MOST_BYTES || oldest === whole) break;
    kept.delete(oldest);
    bytes -= entry.bytes;
  }
  return made;
}

/**
 * How much is kept of the grammars that `toolCallGrammar` has made: at most 4 MB and the latest one.
 *
 * @example grammarCacheInfo(); // { entries: 3, bytes: 28114 }
 */
export const grammarCacheInfo = (): GrammarCacheInfo => ({ entries: kept.size, bytes });

/**
 * Forgets all grammars that were made.
 *
 * @example clearGrammarCache();
 */
export function clearGrammarCache(): void {
  kept.clear();
  bytes = 0;
}
