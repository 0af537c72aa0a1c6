/**
 * A keyword that a grammar does not follow to the letter, by JSON pointer into the schema; or an option that narrows
 * (`maxStringLength`, `maxItems`, `maxDepth`, `whitespace`).
 */
export interface GrammarGap {
  path: string;
  keyword: string;
}

/** What a grammar does not follow to the letter. */
export interface GrammarGaps {
  /** Keywords whose violations the grammar admits. */
  unenforced: GrammarGap[];
  /** Keywords of which the grammar admits less than the schema. */
  narrowed: GrammarGap[];
}

/** Notes a gap, once. */
export function addGap(list: GrammarGap[], path: string, keyword: string): void {
  if (!list.some((gap) => gap.path === path && gap.keyword === keyword)) list.push({ path, keyword });
}
