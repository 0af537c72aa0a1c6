import { once } from "node:events";
import { stripVTControlCharacters, styleText } from "node:util";
import type { Io, Output } from "./io.js";
import { printable, printableJson, printableStyled } from "./printable.js";

/** How a text is styled: names of `util.styleText`. */
export type Style = Parameters<typeof styleText>[0];

/** What the options that every command has say about output. */
export interface OutputOptions {
  json?: boolean;
  quiet?: boolean;
}

/**
 * Where a command writes: results to standard output, everything else to standard error. Colours only where a person
 * reads, and not with NO_COLOR; FORCE_COLOR asks for them in a pipe.
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

  /** Whether somebody can be asked: a terminal at both ends, and no JSON wanted. */
  get interactive(): boolean {
    return !this.json && this.io.stdin.isTTY === true && this.io.stdout.isTTY === true;
  }

  /** Columns of the terminal that results are written to; in a pipe as many as there are. */
  get width(): number {
    return this.io.stdout.isTTY ? (this.io.stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  }

  /** A line of the result. What others wrote in it cannot steer the terminal. */
  print(text: string): void {
    this.io.stdout.write(`${shownOn(this.io.stdout, this.io.env, text)}\n`);
  }

  /** The result as JSON: a document on lines of its own; on a single line with an `indent` of 0. */
  printJson(value: unknown, indent = 2): void {
    this.io.stdout.write(`${printableJson(JSON.stringify(value, null, indent))}\n`);
  }

  /** The result as one line of NDJSON; settled once the reader wants more. */
  async writeJson(value: unknown): Promise<void> {
    await this.#write(`${printableJson(JSON.stringify(value))}\n`);
  }

  /** A text that is the result itself, such as a prompt: exactly, but for what steers where it is a terminal. */
  async write(text: string): Promise<void> {
    await this.#write(this.io.stdout.isTTY ? printable(text) : text);
  }

  async #write(text: string): Promise<void> {
    if (!this.io.stdout.write(text)) await once(this.io.stdout, "drain");
  }

  /** A line that is no result: progress, a hint; with `--json` as `{"note"}`, as errors are JSON too. Not with `--quiet`. */
  note(text: string): void {
    if (this.quiet) return;
    if (this.json) this.noteJson({ note: stripVTControlCharacters(text).trim() });
    else this.io.stderr.write(`${shownOn(this.io.stderr, this.io.env, text)}\n`);
  }

  /** A line of JSON on standard error: an error, a hint, an event beside the result. */
  noteJson(value: unknown): void {
    this.io.stderr.write(`${printableJson(JSON.stringify(value))}\n`);
  }

  /** A text of standard output, styled where that shows colours. */
  style(style: Style, text: string): string {
    return styled(this.io.stdout, this.io.env, style, text);
  }

  /** A text of standard error, styled where that shows colours. */
  styleNote(style: Style, text: string): string {
    return styled(this.io.stderr, this.io.env, style, text);
  }
}

function styled(stream: Output, env: NodeJS.ProcessEnv, style: Style, text: string): string {
  return showsColours(stream, env) ? styleText(style, text, { validateStream: false }) : text;
}

/** Only what we styled ourselves may hold control characters, and only where styles are shown. */
const shownOn = (stream: Output, env: NodeJS.ProcessEnv, text: string): string =>
  showsColours(stream, env) ? printableStyled(text) : printable(text);

function showsColours(stream: Output, env: NodeJS.ProcessEnv): boolean {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  if (stream.isTTY !== true) return forced && !env.NO_COLOR;
  return stream.hasColors?.(env) ?? !env.NO_COLOR;
}
