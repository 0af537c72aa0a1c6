import { stripVTControlCharacters } from "node:util";
import Table from "cli-table3";
import type { Terminal } from "./terminal.js";

/**
 * The lines of a table without rules between rows, with its head in bold. Cells are text with optional colours. The
 * last column is wrapped if the terminal is too narrow. Loads `cli-table3`, so import this file lazily.
 *
 * @example terminal.print(table(terminal, ["name", "size"], [["smollm2-135m", "145 MB"]]));
 */
export function table(terminal: Terminal, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const none = Object.fromEntries(borders.map((name) => [name, ""]));
  const made = new Table({
    head: head.map((cell) => terminal.style("bold", cell)),
    chars: { ...none, middle: "  " },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colWidths: lastWidth(terminal.width, head, rows),
    wordWrap: true,
  });
  made.push(...rows.map((row) => [...row]));
  return made
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

const borders = [
  ...["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"],
  ...["left", "left-mid", "mid", "mid-mid", "right", "right-mid"],
] as const;

/** The minimal width of a wrapped column. */
const narrowest = 16;

/** The column widths for cli-table3: automatic (null), except for the last column if the rows are too wide. */
function lastWidth(width: number, head: readonly string[], rows: readonly (readonly string[])[]): (number | null)[] {
  const longest = head.map((_, i) => Math.max(...[head, ...rows].map((row) => visibleLength(row[i] ?? ""))));
  const before = longest.slice(0, -1).reduce((sum, one) => sum + one + 2, 0);
  const fits = before + (longest.at(-1) ?? 0) <= width;
  return longest.map((_, i) => (fits || i < longest.length - 1 ? null : Math.max(narrowest, width - before)));
}

function visibleLength(text: string): number {
  return Math.max(
    ...stripVTControlCharacters(text)
      .split("\n")
      .map(({ length }) => length),
  );
}
