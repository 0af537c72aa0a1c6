import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { didYouMean } from "@toolingua/core/adapters";
import { refused } from "../files/refused.js";
import type { GivenKey } from "../model-source/given-key.js";
import { CliError } from "../terminal/errors.js";
import { exitCodes } from "../terminal/exit-codes.js";
import { progress } from "../terminal/progress.js";
import type { Terminal } from "../terminal/terminal.js";
import { untilInterrupted } from "../terminal/until-interrupted.js";
import { type ClientName, clientNames } from "./clients.js";
import { examine } from "./examine.js";
import { printReport } from "./print.js";
import type { Exchange } from "./wire/exchange.js";

/** The options of `toolingua doctor`. */
export interface DoctorOptions {
  model?: string;
  apiKey?: GivenKey;
  client?: string[];
  all?: boolean;
  maxTokens: number;
  /** In milliseconds, as `patience`. */
  timeout: number;
  patience: number;
  trace?: string;
}

/** `toolingua doctor`: examines a server, and prints the report. */
export async function run(terminal: Terminal, url: string, options: DoctorOptions): Promise<number> {
  const clients = options.client?.map(clientNamed);
  const trace = options.trace === undefined ? undefined : await Trace.open(options.trace);
  const bar = progress(terminal, 0, "{bar} {value}/{total} {note}");
  const examined = (signal: AbortSignal) =>
    examine({
      ...{ url, clients, model: options.model, apiKey: options.apiKey?.(), maxTokens: options.maxTokens },
      ...{ timeout: options.timeout, patience: options.patience, signal },
      onStep({ name, done, total }) {
        bar.setTotal(total);
        bar.update(done, name);
      },
      onExchange: (name, exchange) => trace?.write(name, exchange),
    });
  try {
    const report = await untilInterrupted(terminal.io, examined);
    bar.stop();
    await trace?.end();
    if (terminal.json) terminal.printJson(report);
    else printReport(terminal, report, options.all === true);
    return report.counts.fault > 0 ? exitCodes.nothingFound : exitCodes.success;
  } finally {
    bar.stop();
  }
}

function clientNamed(name: string): ClientName {
  const known = clientNames.find((one) => one === name);
  if (known) return known;
  throw new CliError("usage", `There is no client "${name}". ${didYouMean(name, clientNames)}`);
}

/** Writes all exchanges as lines of JSON, for bug reports to the server's developers. */
class Trace {
  readonly #file: WriteStream;
  readonly #over: Promise<void>;

  private constructor(file: WriteStream, path: string) {
    this.#file = file;
    this.#over = finished(file).catch((cause: Error) => {
      throw refused(cause, path);
    });
    this.#over.catch(() => {});
  }

  /** Errors: `CliError` if the file cannot be written. Checked first, since the examination takes minutes. */
  static async open(path: string): Promise<Trace> {
    const file = createWriteStream(path);
    await once(file, "open").catch((cause: Error) => {
      throw refused(cause, path);
    });
    return new Trace(file, path);
  }

  write(name: string, { sent, status, headers, text, events, ms, ending, problem }: Exchange): void {
    const times = events.map(({ at }) => at);
    this.#file.write(`${JSON.stringify({ name, sent, status, headers, text, times, ms, ending, problem })}\n`);
  }

  async end(): Promise<void> {
    this.#file.end();
    await this.#over;
  }
}
