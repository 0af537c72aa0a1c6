import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "./context.js";
import {
  apiKeyOption,
  backendOption,
  embeddedOption,
  modelOption,
  noUpstreamOption,
  styleOption,
  timeoutOption,
  wholeNumber,
  withExamples,
  withOutputOptions,
} from "./options.js";

export function addProbe(program: Command, context: CommandContext): void {
  const command = program
    .command("probe")
    .summary("which wire format a model speaks best")
    .description(
      "Asks a model questions with tools in several wire formats, unconstrained and constrained by a grammar, and with its server's own tools. " +
        "Says which makes the most right calls, with 95 % intervals, and how to serve it.",
    )
    .argument("[url]", "a server with OpenAI's chat completions, such as http://localhost:8080/v1")
    .addOption(noUpstreamOption("probe"))
    .addOption(modelOption())
    .addOption(apiKeyOption())
    .addOption(embeddedOption("<model>"))
    .addOption(backendOption())
    .option("-n, --questions <count>", "how many questions", wholeNumber(4), 20)
    .addOption(new Option("-p, --protocol <names>", "only these formats, separated by commas").argParser(names))
    .addOption(new Option("--all", "all formats there are").conflicts("protocol"))
    .addOption(styleOption().default("native"))
    .option("--require-calls", "ask only what needs a call, and require one")
    .option("--no-constraint", "do not constrain replies by a grammar")
    .option("--no-server-tools", "do not try the server's own tools")
    .option("--no-early", "ask all candidates all questions, also those that cannot win")
    .option("--concurrency <count>", "questions at once", wholeNumber(1), 1)
    .addOption(timeoutOption("one answer", 120))
    .option("--max-tokens <count>", "of one answer", wholeNumber(1), 512)
    .option("--seed <number>", "for servers that take one", wholeNumber(0), 1)
    .option("--state <file>", "where answers are kept (default: in the cache)")
    .option("--fresh", "forget the answers of an earlier run")
    .option("--write <file>", "write the winner as a configuration of toolingua serve")
    .option("--force", "--write may replace a file");
  withExamples(withOutputOptions(command), [
    ["a model of a local server", "toolingua probe http://localhost:8080/v1 --model qwen2.5-7b"],
    ["and serve it so", "toolingua probe localhost:11434 -m llama3.2 --write toolingua.yaml"],
    ["two formats only, with twice the questions", "toolingua probe localhost:8000 -m my-model -p hermes,xml -n 40"],
    ["a model in this process, made to call", "toolingua probe --embedded smollm2-135m --require-calls"],
  ]).action(context.action(async () => (await import("../probe/run.js")).run));
}

/** Comma-separated names. The option is repeatable. */
function names(value: string, before: string[] | undefined): string[] {
  const given = value.split(",").map((name) => name.trim());
  if (given.includes("")) throw new InvalidArgumentError("Names of formats are needed, such as hermes,xml.");
  return [...(before ?? []), ...given];
}
