import { once } from "node:events";
import { stripVTControlCharacters, styleText } from "node:util";
import { type Io, type Output, sizeOf } from "./io.js";
import { printable, printableJson, printableStyled } from "./printable.js";

/** The style of a text: a name of `util.styleText`. */
export type Style = Parameters<typeof styleText>[0];

/** The output options of every command. */
export interface OutputOptions {
  json?: boolean;
  quiet?: boolean;
}

/**
 * The output of a command: results go to standard output, everything else to standard error. Colours are used only on a
 * terminal, and not with NO_COLOR; FORCE_COLOR enables them in a pipe.
 *
 * @example terminal.print(terminal.style("bold", "done"));
 */
export class Terminal {
  readonly io: Io;
  readonly json: boolean;
  readonly quiet: boolean;

  constructor(io: Io, { json = false, quiet = false }: OutputOptions = {}) {
    this.io = io;
    this.json = json;
    this.quiet = quiet;
  }

  /** Whether the user can be asked: both ends are terminals, and the output is not JSON. */
  get interactive(): boolean {
    return !this.json && this.io.stdin.isTTY === true && this.io.stdout.isTTY === true;
  }

  /** The width of the terminal for results, in columns; unlimited in a pipe. */
  get width(): number {
    return this.io.stdout.isTTY ? sizeOf(this.io.stdout).columns : Number.POSITIVE_INFINITY;
  }

  /** Prints a line of the result. Untrusted text in it cannot control the terminal. */
  print(text: string): void {
    this.io.stdout.write(`${shownOn(this.io.stdout, this.io.env, text)}\n`);
  }

  /** Prints the result as indented JSON; on a single line with an `indent` of 0. */
  printJson(value: unknown, indent = 2): void {
    this.io.stdout.write(`${printableJson(JSON.stringify(value, null, indent))}\n`);
  }

  /** Prints the result as one line of NDJSON. Resolves when the reader wants more. */
  async writeJson(value: unknown): Promise<void> {
    await this.#write(`${printableJson(JSON.stringify(value))}\n`);
  }

  /** Writes a text that is the result itself, such as a prompt: exactly; on a terminal, without control characters. */
  async write(text: string): Promise<void> {
    await this.#write(this.io.stdout.isTTY ? printable(text) : text);
  }

  async #write(text: string): Promise<void> {
    if (!this.io.stdout.write(text)) await once(this.io.stdout, "drain");
  }

  /**
   * Prints a line besides the result: progress or a hint; with `--json` as `{"note"}`, like errors. Nothing with
   * `--quiet`.
   */
  note(text: string): void {
    if (this.quiet) return;
    if (this.json) this.noteJson({ note: stripVTControlCharacters(text).trim() });
    else this.io.stderr.write(`${shownOn(this.io.stderr, this.io.env, text)}\n`);
  }

  /** As {@link note}, for what the user waits for: only on a terminal. */
  progress(text: string): void {
    if (!this.json && this.io.stderr.isTTY) this.note(text);
  }

  /** Prints a line of JSON to standard error: an error, a hint, an event besides the result. */
  noteJson(value: unknown): void {
    this.io.stderr.write(`${printableJson(JSON.stringify(value))}\n`);
  }

  /** Styles a text for standard output, if that shows colours. */
  style(style: Style, text: string): string {
    return styled(this.io.stdout, this.io.env, style, text);
  }

  /** Styles a text for standard error, if that shows colours. */
  styleNote(style: Style, text: string): string {
    return styled(this.io.stderr, this.io.env, style, text);
  }
}

function styled(stream: Output, env: NodeJS.ProcessEnv, style: Style, text: string): string {
  return showsColours(stream, env) ? styleText(style, text, { validateStream: false }) : text;
}

/** Only our own styles may contain control characters, and only where styles are shown. */
const shownOn = (stream: Output, env: NodeJS.ProcessEnv, text: string): string =>
  showsColours(stream, env) ? printableStyled(text) : printable(text);

function showsColours(stream: Output, env: NodeJS.ProcessEnv): boolean {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  if (stream.isTTY !== true) return forced && !env.NO_COLOR;
  return stream.hasColors?.(env) ?? !env.NO_COLOR;
}
