import { type Command, Option } from "commander";
import type { CommandContext } from "./context.js";
import {
  atLeastZero,
  contextOption,
  wholeNumber,
  withExamples,
  withModelOptions,
  withOutputOptions,
  withToolOptions,
} from "./options.js";

export function addChat(program: Command, context: CommandContext): void {
  const command = withToolOptions(withModelOptions(program.command("chat")))
    .summary("talk to a model that has tools, in the terminal")
    .description(
      "A chat with any model, which may call the tools that are given. A call of a tool that does not say it only reads waits until it " +
        "is approved, rejected or edited. In a pipe: one message, its answer on standard output; what would wait is rejected.",
    )
    .argument("[message]", "what is said first; in a pipe, standard input follows it")
    .option("--system <text>", "the system message")
    .option("--history <file>", "where the chat is kept: it goes on from there (JSON, for ToolConversation.fromJSON)")
    .option("--max-tokens <count>", "the most tokens of one reply", wholeNumber(1))
    .option("--temperature <number>", "how varied replies are; 0: the likeliest", atLeastZero)
    .addOption(contextOption("(only with --embedded; default: what it was trained for, at most 8192)"))
    .addOption(
      new Option(
        "--ask <calls>",
        "which calls wait for approval: those of tools that may change something, all, or none",
      )
        .choices(["changes", "all", "never"])
        .default("changes"),
    )
    .option("--trust-mcp", "believe MCP servers which of their tools only read: those do not wait")
    .option("--once", "only answer the message that is given; standard input is not read");
  withExamples(withOutputOptions(command), [
    [
      "a model of Ollama, llama.cpp, LM Studio or vLLM on this machine",
      "toolingua chat --model qwen3:8b --tools tools.ts",
    ],
    [
      "a model in this process and the files of a folder",
      'toolingua chat --embedded --mcp "npx -y @modelcontextprotocol/server-filesystem ."',
    ],
    ["for scripts: one answer", 'git diff | toolingua chat "Sum this up in a sentence." --model qwen3:8b'],
    ["a chat that continues tomorrow", "toolingua chat --model qwen3:8b --openapi api.yaml --history chat.json"],
  ]).action(context.action(async () => (await import("../chat/run.js")).run));
}
