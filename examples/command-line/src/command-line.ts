import { parseArgs } from "node:util";

/** An option: `value` names what it takes, as in `--port N`; one without it is a switch. `--help` needs no mention. */
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
 * Runs an example's program. `--help` prints the options. A wrong command line is one sentence on standard error and the
 * exit code 2; any other error its message and 1.
 *
 * @example
 * await run({ command: "npm run start:a", options: { port: { value: "N", default: "3000", what: "where it listens" } } },
 *   async ({ options }) => start(portOf(options.port)));
 */
export async function run<Name extends string>(
  line: CommandLine<Name>,
  program: (given: Given<Name>) => Promise<void>,
  args: string[] = process.argv.slice(2),
): Promise<void> {
  try {
    const given = readCommandLine(line, args);
    if (given === "help") console.log(usageOf(line));
    else await program(given);
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** Reads a command line. Errors: {@link UsageError}. */
export function readCommandLine<Name extends string>(line: CommandLine<Name>, args: string[]): Given<Name> | "help" {
  const specs = Object.entries<OptionSpec>(line.options);
  const options = Object.fromEntries(
    specs.map(([name, { value }]) => [name, { type: value === undefined ? "boolean" : "string" } as const]),
  );
  const parsed = (() => {
    try {
      const help = { type: "boolean", short: "h" } as const;
      return parseArgs({ args, options: { ...options, help }, allowPositionals: line.words !== undefined });
    } catch (error) {
      // Node.js explains in further sentences how to write what is not an option.
      const [why] = (error as Error).message.split(/\. |\n/);
      throw new UsageError(`${why}: there ${listed([...shownOptions(line), "--help"])}.`);
    }
  })();
  const values: Record<string, unknown> = parsed.values;
  if (values.help === true) return "help";
  const given = specs.flatMap(([name, spec]) => {
    const value = values[name] === true ? "" : (values[name] ?? spec.default);
    return value === undefined ? [] : [[name, value]];
  });
  return { options: Object.fromEntries(given), words: parsed.positionals.join(" ").trim() };
}

/** The value of an option that is a whole number. Errors: {@link UsageError}. */
export function wholeNumber(option: string, text = "", least = 0, most = Number.MAX_SAFE_INTEGER): number {
  if (/^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  const range = most === Number.MAX_SAFE_INTEGER ? `${least}` : `${least} to ${most}`;
  throw new UsageError(`${option} ${text}: give a whole number from ${range}.`);
}

/** The value of `--port`. Errors: {@link UsageError}. */
export const portOf = (text: string | undefined): number => wholeNumber("--port", text, 0, 65_535);

function usageOf<Name extends string>(line: CommandLine<Name>): string {
  const names = [...shownOptions(line), "--help"];
  const width = Math.max(...names.map(({ length }) => length));
  const lines = Object.values<OptionSpec>(line.options).map(({ what, default: usual }, i) => {
    return `  ${names[i]!.padEnd(width)}  ${what}${usual === undefined ? "" : `; default: ${usual}`}`;
  });
  const words = line.words === undefined ? "" : ` [${line.words}]`;
  return [`${line.command} [-- options${words}]`, ...lines, "  --help"].join("\n");
}

const shownOptions = <Name extends string>({ options }: CommandLine<Name>): string[] =>
  Object.entries<OptionSpec>(options).map(([name, { value }]) => `--${name}${value === undefined ? "" : ` ${value}`}`);

const listed = (names: string[]) =>
  names.length < 2 ? `is only ${names.join("")}` : `are ${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as { code?: unknown; port?: unknown };
  if (code !== "EADDRINUSE") return error.message;
  return `Port ${port} is taken: choose another with --port; 0 chooses a free one.`;
}
