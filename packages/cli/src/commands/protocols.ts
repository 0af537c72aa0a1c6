import type { Command } from "commander";
import type { CommandContext } from "./context.js";
import { withExamples, withOutputOptions } from "./options.js";

export function addProtocols(program: Command, context: CommandContext): void {
  const command = program
    .command("protocols")
    .summary("the wire formats, and which one a model was trained on")
    .description("Lists the wire formats of calls, or shows one with a call as the model writes it.")
    .argument("[name]", "show this one")
    .option("-m, --model <name>", "show the one that this model was trained on");
  withExamples(withOutputOptions(command), [
    ["all of them", "toolingua protocols"],
    ["one, with an example", "toolingua protocols qwen3-coder"],
    ["the one that a model was trained on", "toolingua protocols --model qwen2.5:7b"],
  ]).action(context.action(async () => (await import("../protocols/run.js")).run));
}
