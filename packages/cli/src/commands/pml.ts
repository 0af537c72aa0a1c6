import { type Command, InvalidArgumentError, Option } from "commander";
import { pmlFormats } from "../pml/format-names.js";
import type { CommandContext } from "./context.js";
import { gather, wholeNumber, withExamples, withOutputOptions } from "./options.js";

const work = () => import("../pml/run.js");

export function addPml(program: Command, context: CommandContext): void {
  const pml = program
    .command("pml")
    .summary("documents of conversations: validate, format, convert, prune, count, html")
    .description(
      "Documents in the Prompt Markup Language, with which @toolingua/pml keeps a whole conversation: memory, messages, files, " +
        "calls and their results. Each command reads a file or standard input and prints its result.",
    );
  withExamples(pml, [
    ["is it a document?", "toolingua pml validate session.pml"],
    [
      "a request to OpenAI as a document, and on to Anthropic",
      "toolingua pml convert --from openai --to anthropic r.json",
    ],
    ["made to fit", "toolingua pml prune session.pml --max-tokens 8000 --keep '#plan=always' > fitting.pml"],
    ["a page to read", "toolingua pml html session.pml > session.html"],
  ]);
  const command = (name: string, description: string) =>
    withOutputOptions(pml.command(name).description(description)).argument(
      "[file]",
      "the document; default: standard input",
    );

  command(
    "validate",
    "Says whether a document is well-formed and valid; if not, where, and what would be right.",
  ).action(context.action(async () => (await work()).validate));

  command("format", "Lays a document out. Comments and processing instructions are not kept.")
    .addOption(new Option("--indent <spaces>", "spaces a level").argParser(wholeNumber(0)).default(2))
    .addOption(
      new Option("--canonical", "Canonical XML, of which hashes are made").conflicts(["indent", "check", "write"]),
    )
    .addOption(new Option("--check", "print nothing; end with 1 where the layout differs").conflicts("write"))
    .option("--write", "change the file")
    .action(context.action(async () => (await work()).format));

  command(
    "convert",
    "Converts to and from other formats. Losses are reported on standard error, each with its place (a JSON pointer) in the " +
      "input, or in the document that the input is read as (see --to json).",
  )
    .addOption(new Option("--from <format>", "what it is (default: pml)").choices(pmlFormats))
    .addOption(new Option("--to <format>", "what it becomes (default: pml)").choices(pmlFormats))
    .addOption(
      new Option("--attachments <style>", "how messages hold files (default: documents)").choices(["documents", "pml"]),
    )
    .action(context.action(async () => (await work()).convert));

  command(
    "prune",
    "Makes a document fit, the oldest and least important first. Pruned parts are reported on standard error.",
  )
    .addOption(
      new Option("--max-tokens <number>", "tokens that there may be (four characters count as one)")
        .argParser(wholeNumber(1))
        .makeOptionMandatory(),
    )
    .option("--reserve <number>", "tokens of them that are kept free, for the answer", wholeNumber(0))
    .option("--target <part>", "what is left once it does not fit, as a part of it (default: 0.7)", partOfOne)
    .option("--recent-turns <number>", "turns at the end that are never dropped (default: 1)", wholeNumber(0))
    .option("--keep <what=level>", "how important an #id or element is: always, high, normal, low (repeatable)", gather)
    .action(context.action(async () => (await work()).prune));

  command("count", "Counts the contents of a document, and its tokens: about one for four characters.").action(
    context.action(async () => (await work()).count),
  );

  command("html", "Renders a document as a page to read: one file, without scripts, that loads nothing.")
    .option("--title <text>", "its title (default: the topic)")
    .option("--language <tag>", "its language (default: en)")
    .action(context.action(async () => (await work()).html));
}

function partOfOne(value: string): number {
  const part = Number(value);
  if (value.trim() !== "" && part > 0 && part <= 1) return part;
  throw new InvalidArgumentError("A number above 0, at most 1, is needed.");
}
