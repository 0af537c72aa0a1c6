import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";

const [BEGIN, END] = ["<!-- made by a test: begin -->", "<!-- made by a test: end -->"];

/**
 * The table between the markers of a README is this one: the head, then the rows. With TOOLINGUA_WRITE=1 it is written.
 * `command`: what writes it, for whoever finds it wrong.
 */
export function expectTable(readme: URL, table: readonly string[][], { command }: { command: string }): void {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  const lines = table.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`);
  lines.splice(1, 0, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  expectMade(readme, lines.join("\n"), { command });
}

/** The text between the markers of a README is this one. With TOOLINGUA_WRITE=1 it is written. */
export function expectMade(readme: URL, made: string, { command }: { command: string }): void {
  const text = readFileSync(readme, "utf8");
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  expect(end, `The README has no ${BEGIN} and ${END}.`).toBeGreaterThan(start);
  const wanted = `${text.slice(0, start)}${BEGIN}\n\n${made}\n\n${text.slice(end)}`;
  if (process.env.TOOLINGUA_WRITE) writeFileSync(readme, wanted);
  else expect(text, `What is there is not what the run gives. Write it with\n${command}`).toBe(wanted);
}
