import { closeSync, openSync, writeSync } from "node:fs";
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
  const trace = options.trace === undefined ? undefined : openTrace(options.trace);
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
    if (terminal.json) terminal.printJson(report);
    else printReport(terminal, report, options.all === true);
    return report.counts.fault > 0 ? exitCodes.nothingFound : exitCodes.success;
  } finally {
    bar.stop();
    trace?.close();
  }
}

function clientNamed(name: string): ClientName {
  const known = clientNames.find((one) => one === name);
  if (known) return known;
  throw new CliError("usage", `There is no client "${name}". ${didYouMean(name, clientNames)}`);
}

/**
 * Writes all exchanges to a file as lines of JSON, for bug reports to the server's developers. Opened first, since the
 * examination takes minutes. Errors, also of writing: `CliError`.
 */
function openTrace(path: string): { write(name: string, exchange: Exchange): void; close(): void } {
  const orRefused = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw refused(cause, path);
    }
  };
  const file = orRefused(() => openSync(path, "w"));
  return {
    write(name, { sent, status, headers, text, events, ms, ending, problem }) {
      const times = events.map(({ at }) => at);
      const line = JSON.stringify({ name, sent, status, headers, text, times, ms, ending, problem });
      orRefused(() => writeSync(file, `${line}\n`));
    },
    close: () => closeSync(file),
  };
}
