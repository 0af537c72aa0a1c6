import { type Command, InvalidArgumentError, Option } from "commander";
import { configFile } from "../serve/config-file.js";
import type { ServeOptions } from "../serve/serve-config.js";
import type { CommandContext } from "./context.js";
import {
  configOption,
  gather,
  secondsOption,
  timeoutOption,
  wholeNumber,
  withExamples,
  withModelOptions,
  withOutputOptions,
} from "./options.js";

/** Options of a single model, which conflict with a file. Their environment variables do not. */
const ofOneModel = [
  ...["upstream", "upstreamKey", "kind", "embedded", "model", "alias"],
  ...["protocol", "style", "backend", "constraint", "startWithReasoning", "holdCalls"],
];

export function addServe(program: Command, context: CommandContext): void {
  const serve = context.action(async () => (await import("../serve/run.js")).run);
  const command = withModelOptions(program.command("serve"))
    .summary("OpenAI's and Anthropic's APIs with tool calling in front of any model")
    .allowExcessArguments()
    .description(
      "Starts the gateway: Chat Completions, Responses and Messages with tool calling in front of a model that only writes text. " +
        "One model by flags, or any number by a file. SIGHUP reads the file again, SIGTERM lets answers end.",
    )
    .addOption(configOption())
    .addOption(new Option("--kind <kind>", "which of its endpoints is asked").choices(["chat", "completion"]))
    .addOption(
      new Option("--alias <name>", "another name for the model; * matches anything (repeatable)").argParser(gather),
    )
    .option("--hold-calls", "buffer calls of a stream until they are complete")
    .option("--host <address>", "where to listen (default: 127.0.0.1)")
    .addOption(
      new Option("--port <number>", "0: any that is free (default: 8000)").argParser(portNumber).env("TOOLINGUA_PORT"),
    )
    .addOption(
      new Option(
        "--api-key <key>",
        "a key that clients must send (repeatable; or TOOLINGUA_API_KEYS, with commas)",
      ).argParser(gather),
    )
    .addOption(secondsOption("--connect-timeout", "for the connection to the upstream (default: 10)"))
    .addOption(secondsOption("--idle-timeout", "for its next byte (default: 300)"))
    .addOption(timeoutOption("a whole turn (default: none)"))
    .option("--max-body <bytes>", "of a request (default: 10000000)", wholeNumber(1))
    .option("--rate <number>", "requests a minute of each key (default: none)", wholeNumber(1))
    .option("--concurrency <number>", "requests at once of each key (default: none)", wholeNumber(1))
    .option("--admin", "a page at / with models, requests and failures");
  withExamples(withOutputOptions(command), [
    ["a model of Ollama", "toolingua serve --upstream http://localhost:11434/v1 --model llama3.2 --backend ollama"],
    ["a model in this process; nothing else is needed", "toolingua serve --embedded smollm2-135m"],
    ["several models, keys, limits", "toolingua serve --config toolingua.yaml"],
    ["for scripts: the address as JSON", "toolingua serve --embedded --port 0 --json"],
  ]).action((options: ServeOptions) => {
    const [argument] = command.args;
    if (argument !== undefined)
      command.error(`error: serve has no argument ${argument}: the model's server is --upstream ${argument}`);
    const given = ofOneModel.filter((name) => command.getOptionValueSource(name) === "cli");
    const file = configFile(options);
    if (file !== undefined && given.length > 0) {
      const flags = command.options.filter((option) => given.includes(option.attributeName())).map(({ long }) => long);
      command.error(
        options.config === undefined
          ? `error: ${file} in this folder defines the models: change ${flags.join(", ")} there, or name another server with --upstream`
          : `error: ${flags.join(", ")} and --config cannot be given together: the file defines the models`,
      );
    }
    return serve(options, command);
  });
}

function portNumber(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new InvalidArgumentError("A port from 0 to 65535 is needed.");
}
