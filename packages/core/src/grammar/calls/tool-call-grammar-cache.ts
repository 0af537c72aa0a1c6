import { oncePer } from "../../common/once-per.js";
import { RecentMap } from "../../common/recent-map.js";
import type { Syntax } from "../../syntax/syntax.js";
import type { ToolDefinition } from "../../types.js";

/** The size of the cache of grammars. */
export interface GrammarCacheInfo {
  /** The number of grammars. */
  entries: number;
  /** Their size, in bytes: the length of their texts, which is nearly all. */
  bytes: number;
}

/** The maximum size of the cache, in bytes: enough for some hundred tool sets. */
const MAX_BYTES = 4_000_000;

const kept = /* @__PURE__ */ new RecentMap<string, { grammar: string }>(MAX_BYTES, ({ grammar, ...rest }, key) => {
  return key.length + grammar.length + JSON.stringify(rest).length;
});

let lastId = 0;
const idOf = oncePer((_object: object) => ++lastId);
const lists = new WeakMap<readonly ToolDefinition[], { members: readonly ToolDefinition[]; id: string }>();

/** The id of a tool set. Two lists of the same tools in the same order are the same tool set. */
function idOfTools(tools: readonly ToolDefinition[]): string {
  const known = lists.get(tools);
  if (known && known.members.length === tools.length && known.members.every((tool, i) => tool === tools[i]))
    return known.id;
  const id = tools.map(idOf).join();
  lists.set(tools, { members: [...tools], id });
  return id;
}

/** Freezes a value and all its parts, because all callers share the cached one. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/**
 * Returns the cached result of `make` for these tools, which must not change after the first use. The cache removes the
 * least recently used results above {@link MAX_BYTES}.
 */
export function cached<T extends { grammar: string }>(
  tools: readonly ToolDefinition[],
  syntax: Syntax,
  key: string,
  make: () => T,
): T {
  const whole = `${idOf(syntax)} ${idOfTools(tools)} ${key}`;
  const known = kept.get(whole);
  if (known) return known as T;
  const made = frozen(make());
  kept.set(whole, made);
  return made;
}

/**
 * The size of the cache of `toolCallGrammar`: at most 4 MB, unless the latest grammar alone is larger.
 *
 * @example grammarCacheInfo(); // { entries: 3, bytes: … }
 */
export const grammarCacheInfo = (): GrammarCacheInfo => ({ entries: kept.entries, bytes: kept.totalSize });

/**
 * Empties the cache of `toolCallGrammar`.
 *
 * @example clearGrammarCache();
 */
export function clearGrammarCache(): void {
  kept.clear();
}
