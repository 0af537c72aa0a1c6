import { type Command, Option } from "commander";
import type { CommandContext } from "./context.js";
import { protocolOption, withExamples, withOutputOptions, withToolOptions } from "./options.js";

export function addParse(program: Command, context: CommandContext): void {
  const command = program
    .command("parse")
    .summary("read a model's reply: calls, text, repairs, why not")
    .description(
      "Reads a model's reply from a file or standard input. Exit codes: 0 calls, 1 text only, 2 an invalid call. " +
        "Without tools every name and all arguments pass unchecked. Only calls with a marker are read then, and those that " +
        "the requested protocol itself writes without one: bare JSON needs the tools.",
    )
    .argument("[file]", "the reply; default: standard input")
    .addOption(protocolOption().default("auto"))
    .addOption(
      new Option("--accept <formats>", "also calls in any other format, or only in its own").choices(["any", "own"]),
    )
    .option("--prefill <text>", "what the reply already began with")
    .option("--cut-off", "the reply ended at the token limit")
    .addOption(new Option("--stream", "events as lines of JSON, as the reply comes in").conflicts("explain"))
    .option("--explain", "the whole reply, and what became of each character");
  withExamples(withOutputOptions(withToolOptions(command)), [
    ["the calls in a reply, checked by the tools", "toolingua parse reply.txt --tools tools.json"],
    ["for scripts", 'some-model | toolingua parse --protocol hermes --json | jq ".toolCalls[].name"'],
    ["as they come", "some-model | toolingua parse --stream"],
    ["why is this no call?", "toolingua parse reply.txt --tools tools.json --explain"],
  ]).action(context.action(async () => (await import("../reply/run-parse.js")).run));
}
