import { type Command, Option } from "commander";
import type { CommandContext } from "./context.js";
import { contextOption, keyOption, withExamples, withModelOptions, withOutputOptions } from "./options.js";

export function addLaunch(program: Command, context: CommandContext): void {
  const command = withModelOptions(program.command("launch"))
    .summary("Claude Code, Codex, OpenCode and others on your own model")
    .description(
      "Starts the gateway on a free port, points a client to it, and runs the client: claude, codex, opencode, qwen, aider, goose " +
        "or droid. What is changed in a client's file is undone at the end, and at the next start after a crash.",
    )
    .argument("<client>", "which client")
    .argument("[arguments...]", "after --: what the client gets")
    .addOption(contextOption("(default: as the gateway names it)"))
    .addOption(
      new Option("--url <url>", "a gateway that runs already, in place of one of its own").conflicts([
        "upstream",
        "embedded",
      ]),
    )
    .addOption(keyOption("--key", "its API key"))
    .addOption(
      new Option(
        "--config",
        "set the client up for --url (http://127.0.0.1:8000), to stay, and do not run it; " +
          "--model may be left out if the gateway runs and has one",
      ).conflicts(["restore", "upstream", "embedded"]),
    )
    .option("--restore", "undo what --config set up");
  withExamples(withOutputOptions(command), [
    [
      "Claude Code on a model of Ollama, llama.cpp, LM Studio or vLLM on this machine",
      "toolingua launch claude --model qwen3:8b",
    ],
    [
      "Codex on a model in this process, with arguments of its own",
      "toolingua launch codex --embedded -- exec 'Write hello.txt'",
    ],
    [
      "OpenCode set up for `toolingua serve`, and as it was before",
      "toolingua launch opencode --model qwen3:8b --config; toolingua launch opencode --restore",
    ],
  ]).action(context.action(async () => (await import("../launch/run.js")).run));
}
