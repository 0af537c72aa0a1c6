import { type Command, Option } from "commander";
import type { RenderOptions } from "../render/run.js";
import type { CommandContext } from "./context.js";
import {
  protocolOption,
  styleOption,
  toolChoiceOption,
  withExamples,
  withOutputOptions,
  withToolOptions,
} from "./options.js";

const forms: readonly RenderOptions["from"][] = [
  "auto",
  ...(["toolingua", "openai", "openai-responses", "openai-functions", "anthropic", "gemini"] as const),
];

export function addRender(program: Command, context: CommandContext): void {
  const command = program
    .command("render")
    .summary("what a model is sent: tools and messages as a prompt")
    .description(
      "Renders a conversation for a model that only writes text. The messages are JSON or YAML, in Toolingua's form or as the " +
        "body of a request of a provider; any other text is one message of the user.",
    )
    .argument("[file]", "the messages; default: standard input")
    .addOption(protocolOption())
    .option(
      "-m, --model <name>",
      "the wire format that this model was trained on; with --completion its chat format, too",
    )
    .addOption(styleOption())
    .addOption(toolChoiceOption())
    .option("--no-parallel", "one call a reply")
    .addOption(new Option("--from <provider>", "whose messages these are").choices(forms).default("auto"))
    .option("--completion", "the whole prompt for a completion endpoint")
    .option("--template <file>", "the same, by a model's own template: Jinja, or its tokenizer_config.json");
  withExamples(withOutputOptions(withToolOptions(command)), [
    ["a question with tools", 'echo "Weather in Oslo?" | toolingua render --tools tools.json --protocol hermes'],
    ["a request to OpenAI, as a Qwen model sees it", "toolingua render request.json --model qwen2.5:7b --completion"],
    ["tokens matter", "toolingua render request.json --style compact"],
  ]).action(context.action(async () => (await import("../render/run.js")).run));
}
