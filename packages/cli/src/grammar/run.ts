import type { JsonSchema, ToolDefinition } from "@toolingua/core";
import { isObject, placeOf } from "@toolingua/core/adapters";
import {
  type ConstraintBackend,
  constraintFor,
  type GrammarGap,
  type GrammarMatch,
  jsonSchemaToGbnf,
  matchGrammar,
  structuralTag,
  type ToolCallGrammarOptions,
  toEbnf,
  toLark,
  toolCallGrammar,
} from "@toolingua/core/grammar";
import { askedProtocol } from "../protocols/asked-protocol.js";
import { CliError } from "../terminal/errors.js";
import { exitCodes } from "../terminal/exit-codes.js";
import { printable } from "../terminal/printable.js";
import { readAll } from "../terminal/read-input.js";
import type { Terminal } from "../terminal/terminal.js";
import { loadToolsIn, namesTools, type ToolOptions } from "../tool-sources/load-tools.js";
import { readDocument } from "../tool-sources/read-document.js";
import { givenToolChoice } from "../tool-sources/tool-choice.js";

/** The options of `toolingua grammar`. */
export interface GrammarOptions extends ToolOptions {
  protocol?: string;
  model?: string;
  schema?: string;
  toolChoice?: string;
  parallel: boolean;
  dialect: "gbnf" | "ebnf" | "lark" | "structural-tag" | ConstraintBackend;
  test?: string;
  testFile?: string;
}

/** `toolingua grammar`: prints a grammar in a dialect, or tests whether it matches a text (exit code 0) or not (1). */
export async function run(terminal: Terminal, options: GrammarOptions): Promise<number> {
  const source =
    options.schema === undefined ? await callsSource(terminal, options) : await schemaSource(options.schema, options);
  const text = options.testFile === undefined ? options.test : await readAll(terminal, options.testFile);
  if (text !== undefined) return judge(terminal, matchGrammar(source.gbnf().grammar, text), text);
  const { written, gaps } = source.write();
  for (const gap of gaps) terminal.note(gap);
  if (typeof written !== "string") terminal.printJson(written);
  else if (terminal.json) terminal.printJson({ dialect: options.dialect, grammar: written });
  else await terminal.write(written.endsWith("\n") ? written : `${written}\n`);
  return exitCodes.success;
}

/** A grammar in any dialect: text, or the JSON that a server takes. */
interface Source {
  gbnf(): { grammar: string };
  write(): { written: string | object; gaps: string[] };
}

async function callsSource(terminal: Terminal, options: GrammarOptions): Promise<Source> {
  if (!namesTools(options))
    throw new CliError("usage", "The tools are missing: give --tools, --mcp or --openapi, or a --schema.");
  const { tools, close } = await loadToolsIn(terminal, options);
  await close();
  const calls = callOptions(tools, options);
  const { dialect } = options;
  const write = () => {
    if (dialect === "structural-tag") {
      const tag = structuralTag(calls);
      if (tag) return { written: tag, gaps: [] };
      throw new CliError(
        "bad-input",
        "This format has no structural tag, because its calls do not begin with a fixed text.",
      );
    }
    if (isTextDialect(dialect)) {
      const { grammar, unenforced, narrowed } = toolCallGrammar(calls);
      return { written: inDialect[dialect](grammar), gaps: gapsOf(unenforced, narrowed) };
    }
    return { written: constraintFor(dialect, { ...calls, lazy: calls.toolChoice === "auto" }), gaps: [] };
  };
  return { gbnf: () => toolCallGrammar(calls), write };
}

async function schemaSource(file: string, { dialect, ...options }: GrammarOptions): Promise<Source> {
  if (namesTools(options)) throw new CliError("usage", "--schema and tools cannot be given together.");
  const schema = await readDocument(file);
  if (!isSchema(schema))
    throw new CliError("bad-input", `${file} is not a JSON Schema, which is an object, true or false.`);
  const write = () => {
    if (!isTextDialect(dialect))
      throw new CliError("usage", `--schema has no dialect ${dialect}. There are gbnf, ebnf and lark.`);
    const { grammar, unenforced, narrowed } = jsonSchemaToGbnf(schema);
    return { written: inDialect[dialect](grammar), gaps: gapsOf(unenforced, narrowed) };
  };
  return { gbnf: () => jsonSchemaToGbnf(schema), write };
}

function callOptions(tools: readonly ToolDefinition[], options: GrammarOptions): ToolCallGrammarOptions {
  const { protocol, model, parallel, toolChoice = "required" } = options;
  if (protocol === undefined && model === undefined)
    throw new CliError("usage", "The wire format is missing: give --protocol or --model.");
  const format = askedProtocol(options) ?? "xml";
  const choice = givenToolChoice(toolChoice, tools);
  return { tools, protocol: format, toolChoice: choice, ...(!parallel && { parallel }) };
}

const inDialect = { gbnf: (grammar: string) => grammar, ebnf: toEbnf, lark: toLark };

const isTextDialect = (dialect: string): dialect is keyof typeof inDialect => Object.hasOwn(inDialect, dialect);

const isSchema = (value: unknown): value is JsonSchema => typeof value === "boolean" || isObject(value);

function gapsOf(
  unenforced: readonly (GrammarGap & { tool?: string })[],
  narrowed: readonly (GrammarGap & { tool?: string })[],
) {
  const lineOf = (what: string) => (gap: GrammarGap & { tool?: string }) =>
    `${what}: ${gap.keyword} at ${placeOf(gap.path)}${gap.tool === undefined ? "" : ` of ${gap.tool}`}`;
  return [...unenforced.map(lineOf("not enforced")), ...narrowed.map(lineOf("admits less than the schema"))];
}

/** Reports whether the grammar matches the text. If not, shows the matching part and what may follow it. */
function judge(terminal: Terminal, match: GrammarMatch, text: string): number {
  if (terminal.json) terminal.printJson(match);
  else if (match.matches) terminal.print(`${terminal.style("green", "admitted")}`);
  else {
    const { at, expected } = match;
    const before = printable(text.slice(0, at));
    const wrong = at < text.length ? printable(text.slice(at)) : "";
    terminal.print(`${before}${terminal.style("dim", "⟨here⟩")}${terminal.style("red", wrong)}`);
    const what = at < text.length ? `not admitted from character ${at} on` : "not admitted: it ends too early";
    terminal.print(`\n${terminal.style("red", what)}\nexpected: ${expected.join(" or ") || "the end"}`);
  }
  return match.matches ? exitCodes.success : exitCodes.nothingFound;
}
