/**
 * The page on wire formats, docs/protocols.md. `all`: the facts of each, `placeWords`: the words for where calls count, both
 * of packages/cli/src/protocols/facts.ts.
 */
export function protocolPage(all, placeWords) {
  return [
    "# Wire formats",
    "",
    "<!-- Made by `node scripts/protocols-page.mjs` from the registry, packages/core/src/protocols/index.ts. -->",
    "",
    "A model writes calls best in the format that it was trained on. `protocolForModel(id)` selects it by the model's id; a",
    "model that was trained on none gets `xml`. Calls in every format are parsed, whichever format was requested.",
    "",
    "Several calls: what the prompt asks for in one reply. Position of calls: where the parser reads them if the format was requested,",
    "and if another one was; calls of a format without markers of its own count in fewer places then. Grammar: for constrained decoding.",
    "",
    ...table([
      ["name", "models", "several calls", "position of calls", "otherwise", "grammar"],
      ...all.map(({ name, models, parallelCalls, callsStand, callsStandUnasked, grammar }) => [
        `[\`${name}\`](#${name})`,
        models,
        parallelCalls ? "yes" : "no",
        placeWords[callsStand],
        placeWords[callsStandUnasked],
        grammar ? "yes" : "no",
      ]),
    ]),
    ...all.flatMap(({ name, models, source, example }) => [
      "",
      `## ${name}`,
      "",
      `For ${models}. Source: ${source}.`,
      "",
      ...fenced(example),
    ]),
    "",
  ].join("\n");
}

/** A code block; its fence is longer than any inside. */
function fenced(text) {
  const fence = text.includes("```") ? "````" : "```";
  return [`${fence}text`, text, fence];
}

/** The lines of a table, the first row its head; padded as the formatter wants it. */
function table([head, ...rows]) {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)));
  const line = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}
