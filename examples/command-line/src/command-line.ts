import { Command, CommanderError } from "commander";

/** An option: `value` names what it takes, as in `--port N`; one without it is a switch. `--help` is added. */
export interface OptionSpec {
  value?: string;
  default?: string;
  /** What it means, for `--help`. */
  what: string;
}

/** What an example's command line accepts. */
export interface CommandLine<Name extends string> {
  /** How it is started: `npm run start:pml`. */
  command: string;
  /** What the program does, for `--help`. */
  about: string;
  /** What the words beside the options are, such as `question`. Without it, there are none. */
  words?: string;
  options: Record<Name, OptionSpec>;
}

/** The values of a command line: of a switch `""` where it is given. */
export interface Given<Name extends string> {
  options: Partial<Record<Name, string>>;
  /** The words beside the options, as one text; empty if there are none. */
  words: string;
}

/** A command line that is wrong. The message says what would be right. */
export class UsageError extends Error {}

/**
 * Runs an example's program. `--help` prints the options. A wrong command line is said on standard error and ends with the exit
 * code 2; any other error with its message and 1.
 *
 * @example
 * const port = { value: "N", default: "3000", what: "where it listens" };
 * await run({ command: "npm run start:a", about: "Serves a page.", options: { port } }, ({ options }) => start(options.port));
 */
export async function run<Name extends string>(
  line: CommandLine<Name>,
  program: (given: Given<Name>) => Promise<void>,
  args: string[] = process.argv.slice(2),
): Promise<void> {
  const command = commandOf(line);
  try {
    command.parse(args, { from: "user" });
    const values = command.options.map((option) => {
      const value: unknown = command.getOptionValue(option.attributeName());
      // The value of `--no-retry` is that of `retry`, and true if it is not given.
      if (option.negate) return [option.name(), value === false ? "" : undefined];
      return [option.name(), value === true ? "" : value];
    });
    const options = Object.fromEntries(values.filter(([, value]) => value !== undefined));
    await program({ options, words: command.args.join(" ").trim() });
  } catch (error) {
    const isOfCommander = error instanceof CommanderError;
    if (!isOfCommander) console.error(messageOf(error));
    // Commander has printed its own message, and the help.
    const isWrong = error instanceof UsageError || (isOfCommander && error.exitCode !== 0);
    process.exitCode = isWrong ? 2 : isOfCommander ? 0 : 1;
  }
}

function commandOf<Name extends string>({ command: name, about, words, options }: CommandLine<Name>): Command {
  const command = new Command(name)
    .description(about)
    .usage(`-- [options]${words === undefined ? "" : ` [${words}]`}`)
    .exitOverride()
    .showHelpAfterError("--help lists the options.")
    .configureOutput({
      writeOut: (text) => console.log(text.trimEnd()),
      writeErr: (text) => console.error(text.trimEnd()),
    });
  if (words !== undefined) command.argument(`[${words}...]`);
  for (const [option, { value, what, default: usual }] of Object.entries<OptionSpec>(options))
    command.option(`--${option}${value === undefined ? "" : ` <${value}>`}`, what, usual);
  return command;
}

/**
 * The value of an option that is a number. Errors: {@link UsageError}.
 *
 * @example decimal("--temperature", "0.5", 0, 2); // 0.5; "3" is refused
 */
export function decimal(option: string, text = "", least = 0, most = Number.MAX_VALUE): number {
  return numberIn(option, text, { what: "a number", shape: /\S/, least, most });
}

/**
 * The value of an option that is a whole number. Errors: {@link UsageError}.
 *
 * @example wholeNumber("--workers", "3", 2); // 3; "1" is refused
 */
export function wholeNumber(option: string, text = "", least = 0, most = Number.MAX_SAFE_INTEGER): number {
  return numberIn(option, text, { what: "a whole number", shape: /^\d{1,16}$/, least, most });
}

interface Range {
  what: string;
  shape: RegExp;
  least: number;
  most: number;
}

function numberIn(option: string, text: string, { what, shape, least, most }: Range): number {
  const value = shape.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const range = `${what} from ${most >= Number.MAX_SAFE_INTEGER ? least : `${least} to ${most}`}`;
  throw new UsageError(text === "" ? `${option} needs ${range}.` : `${option} ${text}: give ${range}.`);
}

/**
 * The value of `--port`. Errors: {@link UsageError}.
 *
 * @example portOf("0"); // 0, any that is free
 */
export const portOf = (text: string | undefined): number => wholeNumber("--port", text, 0, 65_535);

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as { code?: unknown; port?: unknown };
  if (code !== "EADDRINUSE") return error.message;
  return `Port ${port} is taken: choose another with --port; 0 chooses a free one.`;
}
