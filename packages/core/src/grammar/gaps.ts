/**
 * A keyword that a grammar does not enforce exactly, with its JSON pointer into the schema; or an option that narrows
 * the grammar (`maxStringLength`, `maxItems`, `maxDepth`, `whitespace`).
 */
export interface GrammarGap {
  path: string;
  keyword: string;
}

/** The differences between a grammar and its schema. */
export interface GrammarGaps {
  /** Keywords whose violations the grammar admits. */
  unenforced: GrammarGap[];
  /** Keywords for which the grammar admits less than the schema. */
  narrowed: GrammarGap[];
}

/** Adds a gap to a list, unless the list already contains it. */
export function addGap(list: GrammarGap[], path: string, keyword: string): void {
  if (!list.some((gap) => gap.path === path && gap.keyword === keyword)) list.push({ path, keyword });
}
