import type { Command } from "commander";
import type { CommandContext } from "./context.js";
import {
  apiKeyOption,
  gather,
  modelOption,
  noUpstreamOption,
  secondsOption,
  timeoutOption,
  wholeNumber,
  withExamples,
  withOutputOptions,
} from "./options.js";

export function addDoctor(program: Command, context: CommandContext): void {
  const command = program
    .command("doctor")
    .summary("which clients will break at a server, and why")
    .description(
      "Asks an OpenAI- or Anthropic-compatible server as the real clients do: whole and streamed, with tools, with mistakes. " +
        "Reports what it does wrong and which clients break. Exit code 1 if there are faults.",
    )
    .argument("<url>", "the server, with /v1 or without")
    .addOption(noUpstreamOption("doctor"))
    .addOption(modelOption())
    .addOption(apiKeyOption())
    .option("--client <name>", "only what this client needs (repeatable), such as claude-code or codex", gather)
    .option("-a, --all", "show what passed, too")
    .option("--max-tokens <n>", "tokens of an answer at most", wholeNumber(16), 256)
    .addOption(timeoutOption("one answer", 120))
    .addOption(secondsOption("--patience", "how long a server may go on for a client that left", 10))
    .option("--trace <file>", "write each request and what came back, as NDJSON without keys");
  withExamples(withOutputOptions(command), [
    ["a local server, with its first model", "toolingua doctor http://localhost:11434"],
    ["whether Codex works with it, for CI", "toolingua doctor http://localhost:8000/v1 -m qwen3 --client codex --json"],
    ["with all that was sent and came back", "toolingua doctor http://localhost:8080 --trace trace.ndjson"],
  ]).action(context.action(async () => (await import("../doctor/run.js")).run));
}
