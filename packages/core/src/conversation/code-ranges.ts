/** Ranges of a text. */
export interface Ranges {
  /** Whether a range contains this index. Indices must be queried in ascending order. */
  includes(at: number): boolean;
}

const FENCE = /^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*$/gm;

/**
 * The code in a Markdown text: fenced blocks, to their end or the end of the text, and spans in backticks. Takes linear
 * time.
 *
 * @example codeRanges("Write `[#now]`.").includes(7); // true
 */
export function codeRanges(text: string): Ranges {
  const ranges: [number, number][] = [];
  let at = 0;
  FENCE.lastIndex = 0;
  for (let open = FENCE.exec(text); open; open = FENCE.exec(text)) {
    const [line, marker = ""] = open;
    addSpans(text, at, open.index, ranges);
    let end = text.length;
    for (let close = FENCE.exec(text); close; close = FENCE.exec(text)) {
      const isClose = close[1]!.startsWith(marker) && close[0].trim() === close[1];
      if (!isClose) continue;
      end = close.index + close[0].length;
      break;
    }
    ranges.push([open.index, end]);
    at = end;
    FENCE.lastIndex = Math.max(end, open.index + line.length);
    if (end === text.length) break;
  }
  addSpans(text, at, text.length, ranges);
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
