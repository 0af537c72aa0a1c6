import { placeOf } from "@toolingua/core/adapters";
import { canonicalPml, type Pruned, parsePml, prunePml, readPml, renderHtml, stringifyPml } from "@toolingua/pml";
import { writeWhole } from "../files/write-whole.js";
import { counted } from "../terminal/counted.js";
import { CliError, codeOf, shownMessage } from "../terminal/errors.js";
import { exitCodes } from "../terminal/exit-codes.js";
import { inFile } from "../terminal/in-file.js";
import { printable } from "../terminal/printable.js";
import { readChunks } from "../terminal/read-input.js";
import type { Terminal } from "../terminal/terminal.js";
import { countPml } from "./counts.js";
import type { PmlFormat } from "./format-names.js";
import { documentFrom, textOf } from "./formats.js";
import { keepOf } from "./keep.js";
import { readPmlFile, readUtf8 } from "./read.js";

type File = string | undefined;

export interface FormatOptions {
  indent?: number;
  canonical?: boolean;
  check?: boolean;
  write?: boolean;
}

export interface ConvertOptions {
  from?: PmlFormat;
  to?: PmlFormat;
  attachments?: "documents" | "pml";
}

export interface PruneOptions {
  maxTokens: number;
  reserve?: number;
  target?: number;
  recentTurns?: number;
  keep?: string[];
}

export interface HtmlOptions {
  title?: string;
  language?: string;
}

/** `toolingua pml validate`. Does not build the tree, so the document can be of any size. */
export async function validate(terminal: Terminal, file: File): Promise<void> {
  const counts = { turns: 0, messages: 0, remembered: 0, tools: 0 };
  await inFile(file, async () => {
    for await (const event of readPml(readChunks(terminal, file), { maxLength: Number.POSITIVE_INFINITY })) {
      if (event.type === "memory-item") counts.remembered += 1;
      if (event.type === "tools") counts.tools += event.tools.list.length;
      if (event.type !== "turn") continue;
      counts.turns += 1;
      counts.messages += event.turn.messages.length;
    }
  });
  if (terminal.json) terminal.printJson({ valid: true, ...counts });
  else {
    const { turns, messages, remembered, tools } = counts;
    const said = [counted(turns, "turn"), counted(messages, "message", "messages and outputs")];
    const parts = [...said, `${remembered} remembered`, counted(tools, "tool")];
    terminal.print(`${terminal.style("green", "valid")}: ${parts.join(", ")}`);
  }
}

/** `toolingua pml format`. */
export async function format(terminal: Terminal, file: File, options: FormatOptions): Promise<number> {
  const { indent, canonical, check = false, write = false } = options;
  const target = write ? file : undefined;
  if (write && (target === undefined || target === "-"))
    throw new CliError("usage", "--write needs the name of the file to change.");
  const text = await readUtf8(terminal, file);
  const document = await inFile(file, () => parsePml(text));
  const formatted = canonical ? canonicalPml(document) : stringifyPml(document, { indent });
  const changed = formatted !== text;
  if (target !== undefined && changed) writeWhole(target, formatted);
  if (target !== undefined || check) {
    const state = check ? (changed ? "not formatted" : "formatted") : changed ? "changed" : "unchanged";
    if (terminal.json) terminal.printJson({ file: file ?? null, changed });
    else terminal.note(`${file ?? "Standard input"}: ${state}`);
  } else if (terminal.json) terminal.printJson({ document: formatted, changed });
  else await terminal.write(formatted);
  return check && changed ? exitCodes.nothingFound : exitCodes.success;
}

/**
 * `toolingua pml convert`. The place of a loss is a JSON pointer: into the input, if reading it as a document lost something,
 * otherwise into that document, as `--to json` prints it.
 */
export async function convert(terminal: Terminal, file: File, options: ConvertOptions): Promise<void> {
  const { from = "pml", to = "pml", attachments } = options;
  if (from === to) {
    const isGiven = options.from !== undefined && options.to !== undefined;
    const what = isGiven ? `--from and --to are both ${from}.` : "Give --from, --to or both: each is pml by default.";
    throw new CliError("usage", `${what} To lay a document out: toolingua pml format.`);
  }
  const text = await readUtf8(terminal, file);
  const read = await inFile(file, () => documentFrom(text, from));
  const written = textOf(read.value, to, { attachments });
  const losses = [
    ...read.losses.map((loss) => ({ in: "input", ...loss })),
    ...written.losses.map((loss) => ({ in: "document", ...loss })),
  ];
  for (const { in: where, path, what, why } of losses)
    terminal.note(printable(`lost: ${what} at ${placeOf(path)} of the ${where}: ${why}`));
  if (terminal.json) terminal.printJson({ from, to, text: written.value, losses });
  else await terminal.write(written.value);
}

/** `toolingua pml prune`. */
export async function prune(terminal: Terminal, file: File, options: PruneOptions): Promise<void> {
  const { maxTokens, reserve, target, recentTurns } = options;
  if (reserve !== undefined && reserve >= maxTokens) {
    throw new CliError("usage", `--reserve is less than --max-tokens (${maxTokens}), not ${reserve}.`);
  }
  const keep = keepOf(options.keep ?? []);
  const given = await readPmlFile(terminal, file);
  const { document, pruned, tokens } = asUsage(() =>
    prunePml(given, { maxTokens, reserve, target, recentTurns, keep }),
  );
  const text = stringifyPml(document);
  if (terminal.json) return terminal.printJson({ tokens, pruned, document: text });
  for (const one of pruned) terminal.note(printable(prunedLine(one)));
  terminal.note(`about ${tokens} tokens${pruned.length === 0 ? ": nothing had to be pruned" : ""}`);
  await terminal.write(text);
}

/**
 * Options that the library rejects are wrong usage. Compares the code, because the class may be from another copy of
 * the core.
 */
function asUsage<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    throw codeOf(cause) === "bad-option" ? new CliError("usage", shownMessage(cause), { cause }) : cause;
  }
}

const prunedLine = ({ how, what, name, path, tokens }: Pruned) =>
  `${how.padEnd(9)} ${what} ${name ?? path} (−${tokens})`;

/** `toolingua pml count`. */
export async function count(terminal: Terminal, file: File): Promise<void> {
  const counts = countPml(await readPmlFile(terminal, file));
  if (terminal.json) return terminal.printJson(counts);
  const { table } = await import("../terminal/table.js");
  const rows = counts.parts.map(({ what, count, characters, tokens }) => [
    printable(what),
    ...[count, characters, tokens].map(String),
  ]);
  if (rows.length > 0) terminal.print(`${table(terminal, ["what", "count", "characters", "tokens"], rows)}\n`);
  const { characters, tokens, turns } = counts;
  terminal.print(`${counted(turns, "turn")}, ${characters} characters with the markup, about ${tokens} tokens`);
}

/** `toolingua pml html`. */
export async function html(terminal: Terminal, file: File, { title, language }: HtmlOptions): Promise<void> {
  const page = renderHtml(await readPmlFile(terminal, file), { title, language });
  if (terminal.json) terminal.printJson({ html: page });
  else await terminal.write(page);
}
