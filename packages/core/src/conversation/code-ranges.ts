import { FENCE_LINE } from "../notation/markdown-code.js";

/** Ranges of a text. */
export interface Ranges {
  /** Whether a range contains this index. Indices must be queried in ascending order. */
  includes(at: number): boolean;
}

/**
 * The code in a Markdown text: fenced blocks, to their end or the end of the text, and spans in backticks. Takes linear
 * time.
 *
 * @example codeRanges("Write `[#now]`.").includes(7); // true
 */
export function codeRanges(text: string): Ranges {
  const ranges: [number, number][] = [];
  let at = 0;
  let open: { from: number; run: string } | undefined;
  for (const { index: from, 0: line, 1: run = "", 2: rest = "" } of text.matchAll(FENCE_LINE)) {
    // What is indented further is a part of the code or the text, as in CommonMark.
    if (!/^ {0,3}[`~]/.test(line)) continue;
    if (!open) {
      addSpans(text, at, from, ranges);
      open = { from, run };
    } else if (run.startsWith(open.run) && rest.trim() === "") {
      at = from + line.length;
      ranges.push([open.from, at]);
      open = undefined;
    }
  }
  if (open) ranges.push([open.from, text.length]);
  else addSpans(text, at, text.length, ranges);
  let next = 0;
  return {
    includes(index) {
      while (next < ranges.length && ranges[next]![1] <= index) next += 1;
      return next < ranges.length && ranges[next]![0] <= index;
    },
  };
}

/** Adds the spans between backtick runs of equal length. */
function addSpans(text: string, from: number, to: number, ranges: [number, number][]): void {
  const runs = [...text.slice(from, to).matchAll(/`+/g)].map(({ index, 0: ticks }) => ({
    start: from + index,
    length: ticks.length,
  }));
  // For each run, the next run of equal length, searched from the end.
  const next = new Map<number, number>();
  const closing = runs.map(() => -1);
  for (let i = runs.length - 1; i >= 0; i--) {
    const { length } = runs[i]!;
    closing[i] = next.get(length) ?? -1;
    next.set(length, i);
  }
  for (let i = 0; i < runs.length; i++) {
    const end = closing[i]!;
    if (end < 0) continue;
    ranges.push([runs[i]!.start, runs[end]!.start + runs[end]!.length]);
    i = end;
  }
}
