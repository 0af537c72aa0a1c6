import { backends } from "@toolingua/core/adapters";
import { type Command, Option } from "commander";
import type { GrammarOptions } from "../grammar/run.js";
import type { CommandContext } from "./context.js";
import { protocolOption, toolChoiceOption, withExamples, withOutputOptions, withToolOptions } from "./options.js";

const dialects: readonly GrammarOptions["dialect"][] = [
  ...(["gbnf", "ebnf", "lark", "structural-tag"] as const),
  ...backends,
];

export function addGrammar(program: Command, context: CommandContext): void {
  const command = program
    .command("grammar")
    .summary("the grammar that constrains a model to calls; tests whether a text matches it")
    .description(
      "Prints the grammar of calls of these tools, or of the values of a JSON Schema. The names of servers as a dialect give " +
        "the fields of a request to them. With --test it says whether a text is admitted: exit code 0, or 1 and where it is not.",
    )
    .addOption(protocolOption("default: that of --model"))
    .option("-m, --model <name>", "the wire format that this model was trained on")
    .option("--schema <file>", "a JSON Schema instead of tools")
    .addOption(toolChoiceOption().default("required"))
    .option("--no-parallel", "one call only")
    .addOption(new Option("--dialect <name>", "how the grammar is written").choices(dialects).default("gbnf"))
    .addOption(new Option("--test <text>", "whether the grammar admits this text").conflicts("testFile"))
    .option("--test-file <file>", "the same for a file; - is standard input");
  withExamples(withOutputOptions(withToolOptions(command)), [
    ["for llama.cpp", "toolingua grammar --tools tools.json --protocol hermes"],
    ["the fields of a request to vLLM", "toolingua grammar --tools tools.json --model qwen2.5:7b --dialect vllm"],
    [
      "could the model have written this?",
      "toolingua grammar --tools tools.json --protocol hermes --test-file reply.txt",
    ],
    ["values of a schema", "toolingua grammar --schema answer.schema.json"],
  ]).action(context.action(async () => (await import("../grammar/run.js")).run));
}
