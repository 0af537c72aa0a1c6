// What is written into READMEs: the part between two comments, from results.
const BEGIN = "<!-- tables: written by run.mjs -->";
const END = "<!-- end of tables -->";

/** The README with these blocks in the place of those that it has between the comments. */
export function withTables(readme, blocks) {
  const [before, rest] = readme.split(BEGIN);
  const after = rest.split(END)[1];
  return [before, BEGIN, "\n\n", blocks.join("\n\n"), "\n\n", END, after].join("");
}

/** A table, padded as the formatter wants it. */
export function table(head, rows) {
  const text = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, i) => Math.max(...text.map((row) => row[i].length)));
  const line = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`;
  return [line(text[0]), line(widths.map((width) => "-".repeat(width))), ...text.slice(1).map(line)].join("\n");
}
