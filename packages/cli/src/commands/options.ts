import { backends, MAX_TIMER, nearestNames } from "@toolingua/core/adapters";
import { type Command, InvalidArgumentError, Option } from "commander";
import { givenKey } from "../model-source/given-key.js";

// Options that several commands share have one name and one definition.

/** Collects the values of a repeatable option. */
export const gather = (value: string, before: string[] | undefined) => [...(before ?? []), value];

const toolsOption = () =>
  new Option("-t, --tools <source>", "tools: a JSON, YAML, .js or .ts file, or a package (repeatable)")
    .argParser(gather)
    .env("TOOLINGUA_TOOLS");

const mcpOption = () =>
  new Option(
    "--mcp <command>",
    'tools of an MCP server: a command to start ("npx …") or its URL (repeatable)',
  ).argParser(gather);

const openapiOption = () =>
  new Option("--openapi <file>", "tools of an OpenAPI document: a file or URL (repeatable)").argParser(gather);

/** `without`: which format it is if none is named. */
export const protocolOption = (without = "default: the model's own") =>
  new Option("-p, --protocol <name>", `wire format of calls (see toolingua protocols); ${without}`).env(
    "TOOLINGUA_PROTOCOL",
  );

export const modelOption = () =>
  new Option("-m, --model <name>", "the model, as its server calls it").env("TOOLINGUA_MODEL");

export const apiKeyOption = () => keyOption("--api-key", "API key of the server", "TOOLINGUA_API_KEY");

export const configOption = () =>
  new Option("-c, --config <file>", "configuration file (toolingua.yaml)").env("TOOLINGUA_CONFIG");

const mcpTimeoutOption = () =>
  secondsOption("--mcp-timeout", "how long an MCP server may take for an answer (default: 60)");

/** `limits`: where it applies, and the default. */
export const contextOption = (limits: string) =>
  new Option("--context <tokens>", `how many tokens the model reads at once ${limits}`).argParser(wholeNumber(1));

/** `what`: what is limited; `byDefault`: in seconds. */
export const timeoutOption = (what: string, byDefault?: number) =>
  secondsOption("--timeout", `the most seconds for ${what}`, byDefault);

/** Takes seconds, as `byDefault` does; the command receives milliseconds. */
export const secondsOption = (flag: string, description: string, byDefault?: number) => {
  const option = new Option(`${flag} <seconds>`, description).argParser(seconds);
  return byDefault === undefined ? option : option.default(byDefault * 1000, String(byDefault));
};

/** Adds `--tools`, `--mcp`, `--mcp-timeout` and `--openapi`. */
export const withToolOptions = (command: Command): Command =>
  command.addOption(toolsOption()).addOption(mcpOption()).addOption(mcpTimeoutOption()).addOption(openapiOption());

/** Adds the options of every command: `--json` and `--quiet`. */
export const withOutputOptions = (command: Command): Command =>
  command.option("--json", "print JSON").option("-q, --quiet", "no progress and no hints");

/** A key for a server. That of a flag is checked at once, that of `variable` when it is used. */
export const keyOption = (flag: string, description: string, variable?: string) => {
  const option = new Option(`${flag} <key>`, description).argParser((value) => {
    if (variable !== undefined && process.env[variable] === value) return givenKey(value, variable);
    const key = givenKey(value, flag);
    key();
    return key;
  });
  return variable === undefined ? option : option.env(variable);
};

/** Parses an integer of at least `least`. */
export function wholeNumber(least: number): (value: string) => number {
  return (value) => {
    if (/^\d+$/.test(value) && Number.isSafeInteger(Number(value)) && Number(value) >= least) return Number(value);
    throw new InvalidArgumentError(`A whole number from ${least} is needed.`);
  };
}

/** Parses a number of at least 0. */
export function atLeastZero(value: string): number {
  if (value.trim() !== "" && Number(value) >= 0 && Number.isFinite(Number(value))) return Number(value);
  throw new InvalidArgumentError("A number from 0 is needed.");
}

/**
 * Parses a number of seconds, at most those of the longest timer. Returns whole milliseconds, rounded up.
 *
 * @example seconds("0.2501"); // 251
 */
export function seconds(value: string): number {
  // 15 digits are exact: 16.1 * 1000 is 16100.000000000002.
  const ms = Math.ceil(Number((Number(value) * 1000).toPrecision(15)));
  if (ms > 0 && ms <= MAX_TIMER) return ms;
  throw new InvalidArgumentError(`A number of seconds above 0 is needed, at most ${MAX_TIMER / 1000}.`);
}

/**
 * Says which choice of an option was probably meant. Refuses empty values of a command's arguments and options, which are
 * mostly those of a variable that is not set. Only texts
 * (`<text>`), messages and lists of arguments may be empty; what a parser checks is left to it. An environment variable that is
 * empty counts as unset.
 */
export function checkValues(command: Command): void {
  const isText = (flags: string) => /[<[](?:text|message)[>\]]/.test(flags);
  for (const option of command.options) {
    const { required, optional, variadic, argChoices, parseArg, flags, envVar } = option;
    if (envVar !== undefined && process.env[envVar] === "") delete option.envVar;
    if (argChoices) option.argParser(oneOf(argChoices));
    if (!(required || optional) || argChoices || isText(flags) || (parseArg && parseArg !== gather)) continue;
    if (variadic || parseArg) option.argParser(gatherFilled);
    else option.argParser(filled);
  }
  for (const argument of command.registeredArguments) {
    if (!argument.variadic && !isText(`<${argument.name()}>`)) argument.argParser(filled);
  }
  for (const inner of command.commands) checkValues(inner);
}

/** Collects the values of an option or argument, none of which may be empty. */
export const gatherFilled = (value: string, before: string[] | undefined) => gather(filled(value), before);

const oneOf = (choices: readonly string[]) => (value: string) => {
  if (choices.includes(value)) return value;
  const { meant } = nearestNames(value, choices);
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.${hint}`);
};

function filled(value: string): string {
  if (value.trim() !== "") return value;
  throw new InvalidArgumentError("It is empty: a value is needed.");
}

/** Adds examples to a command's help: a description and the command line of each. */
export function withExamples(command: Command, examples: readonly (readonly [what: string, line: string])[]): Command {
  const lines = examples.map(([what, line]) => `  ${line}\n      ${what}`);
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

export const toolChoiceOption = () =>
  new Option("--tool-choice <choice>", "auto, none, required, or the name of a tool");

export const styleOption = () =>
  new Option("--style <style>", "how tools are shown to the model").choices(["native", "json", "signature", "compact"]);

const upstreamOption = () =>
  new Option("-u, --upstream <url>", "the model's server, up to what comes before /chat/completions");

/** Refuses `--upstream` where the URL is an argument, and says so. */
export const noUpstreamOption = (command: string) =>
  new Option("-u, --upstream <url>").hideHelp().argParser((url) => {
    throw new InvalidArgumentError(`The URL needs no flag: toolingua ${command} ${url}`);
  });

const upstreamApiKeyOption = () => keyOption("--upstream-api-key", "its API key", "TOOLINGUA_UPSTREAM_API_KEY");

/** `model`: how the model is given, as `[model]` or `<model>`. */
export const embeddedOption = (model: string) =>
  new Option(
    `--embedded ${model}`,
    "a model in this process: a GGUF file, or a name of `toolingua models`; it is downloaded if it is not here",
  );

export const backendOption = () => new Option("--backend <kind>", "the kind of server").choices(backends);

const constraintOption = () =>
  new Option("--constraint <when>", "whether a grammar constrains replies").choices([
    "off",
    "auto",
    "required",
    "fallback",
  ]);

const reasoningOption = () =>
  new Option(
    "--start-with-reasoning",
    "replies begin inside the reasoning: the model's chat template opens it, as with DeepSeek-R1, QwQ, Qwen3-Thinking",
  );

/** Adds `--model`, `--upstream`, `--embedded` and related options. */
export const withModelOptions = (command: Command): Command =>
  command
    .addOption(modelOption())
    .addOption(upstreamOption())
    .addOption(upstreamApiKeyOption())
    .addOption(embeddedOption("[model]").conflicts(["upstream"]))
    .addOption(protocolOption())
    .addOption(styleOption())
    .addOption(backendOption())
    .addOption(constraintOption())
    .addOption(reasoningOption());
