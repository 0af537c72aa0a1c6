import { type GatewayConfig, type RequestRecord, type RunningGateway, serve } from "@toolingua/gateway";
import { counted } from "../terminal/counted.js";
import { CliError, codeOf, shownMessage } from "../terminal/errors.js";
import { exitCodes } from "../terminal/exit-codes.js";
import { printable, printableLine } from "../terminal/printable.js";
import type { Terminal } from "../terminal/terminal.js";
import { configFile } from "./config-file.js";
import { type ServeOptions, serveConfig } from "./serve-config.js";
import { unlistedIn } from "./unlisted-at.js";

/**
 * `toolingua serve`: runs the gateway until SIGTERM (0) or SIGINT (130), which let running answers finish. With
 * `--json` each event is a line: `listening`, `request`, `reloaded`, `error`, `closed`.
 */
export async function run(terminal: Terminal, options: ServeOptions): Promise<number> {
  const config = await serveConfig(options, terminal.io.env);
  await fetchEmbedded(terminal, config);
  const gateway = await listen(config, (record) => report(terminal, record));
  const stop = new AbortController();
  const check = (served: GatewayConfig) => void noteUnlisted(terminal, served, stop.signal);
  // A process that reads the listening event may send signals at once.
  const ended = untilEnded(terminal, gateway, { options, check }).finally(() => stop.abort());
  if (terminal.json) event(terminal, "listening", { url: gateway.url });
  else {
    terminal.print(`toolingua listening on ${gateway.url}`);
    terminal.note(hints(config, gateway.url));
  }
  check(config);
  const code = await ended;
  if (terminal.json) event(terminal, "closed", {});
  return code;
}

/** Notes the models that their servers do not list, and addresses that cannot be asked. A server need not run yet. */
async function noteUnlisted(terminal: Terminal, { models }: GatewayConfig, signal: AbortSignal): Promise<void> {
  for (const note of await unlistedIn(models, signal)) terminal.note(printable(note));
}

/** Downloads embedded models before clients can use them. */
export async function fetchEmbedded(terminal: Terminal, { models }: GatewayConfig): Promise<void> {
  const names = models.flatMap(({ embedded }) => embedded ?? []);
  if (names.length === 0) return;
  const { pullModel } = await import("../models/pull-model.js");
  try {
    await import("node-llama-cpp");
  } catch (cause) {
    throw new CliError("not-installed", "An embedded model needs node-llama-cpp: npm install node-llama-cpp", {
      cause,
    });
  }
  for (const name of names) await pullModel(terminal, name);
}

async function listen(config: GatewayConfig, log: (record: RequestRecord) => void): Promise<RunningGateway> {
  try {
    return await serve(config, { log });
  } catch (cause) {
    const { host = LOOPBACK, port = 8000 } = config.server ?? {};
    if (codeOf(cause) !== "EADDRINUSE") throw cause;
    throw new CliError(
      "failed",
      `Port ${port} of ${host} is taken. Choose another with --port; 0 chooses a free one.`,
      { cause },
    );
  }
}

/** The options of the command, and what checks a configuration that is served. */
interface Served {
  options: ServeOptions;
  check: (config: GatewayConfig) => void;
}

function untilEnded(terminal: Terminal, gateway: RunningGateway, served: Served): Promise<number> {
  const { signals } = terminal.io;
  return new Promise((resolve, reject) => {
    const onHangup = () => reload(terminal, gateway, served);
    const end = (code: number) => {
      // A second signal ends the process at once.
      signals.off("SIGINT", onInterrupt);
      signals.off("SIGTERM", onTerminate);
      signals.off("SIGHUP", onHangup);
      if (!terminal.json) terminal.note("Waiting for the running answers to end; Ctrl-C ends at once.");
      gateway.close().then(() => resolve(code), reject);
    };
    const onInterrupt = () => end(exitCodes.interrupted);
    const onTerminate = () => end(exitCodes.success);
    signals.on("SIGINT", onInterrupt);
    signals.on("SIGTERM", onTerminate);
    signals.on("SIGHUP", onHangup);
  });
}

/** Reloads the file. An invalid file changes nothing. */
async function reload(terminal: Terminal, gateway: RunningGateway, { options, check }: Served): Promise<void> {
  const file = configFile(options);
  try {
    if (file === undefined) throw new CliError("usage", "There is no file to read again: the model was set by flags.");
    const config = await serveConfig(options, terminal.io.env);
    await fetchEmbedded(terminal, config);
    gateway.reload(config);
    if (terminal.json) event(terminal, "reloaded", { file });
    else terminal.note(`${file} is read again.`);
    check(config);
  } catch (error) {
    const message = shownMessage(error);
    if (terminal.json) event(terminal, "error", { message });
    else terminal.note(`Nothing is changed. ${message}`);
  }
}

function report(terminal: Terminal, record: RequestRecord): void {
  if (terminal.json) return event(terminal, "request", record);
  const { api, path, model = "?", status, ms, calls, attempts, replies, error, key } = record;
  const shown =
    status < 400 && !error ? terminal.styleNote("green", String(status)) : terminal.styleNote("red", String(status));
  const asked =
    attempts !== undefined && replies !== undefined && attempts > replies ? `asked ${attempts} times` : undefined;
  const facts = [
    `${Math.round(ms)} ms`,
    calls ? counted(calls, "call") : undefined,
    asked,
    key,
    error && printableLine([error.message, error.param, error.code].filter((part) => part !== undefined).join(" ")),
  ];
  terminal.note(
    `${shown} ${path ?? `${api} ${printableLine(model)}`} ${facts.filter((fact) => fact !== undefined).join(", ")}`,
  );
}

function event(terminal: Terminal, name: string, facts: object): void {
  terminal.printJson({ event: name, ...facts }, 0);
}

const LOOPBACK = "127.0.0.1";

const isLoopback = (host: string) => host === "localhost" || host === "::1" || host.startsWith("127.");

/** Instructions for connecting clients. */
function hints({ models, server }: GatewayConfig, url: string): string {
  const names = models.map(({ name }) => printableLine(name)).join(", ");
  const keyCount = server?.keys?.length ?? 0;
  const keys = keyCount === 0 ? "no key is needed" : counted(keyCount, "key");
  const lines = [`  models     ${names} (${keys})`, `  OpenAI     base URL ${url}/v1`, `  Anthropic  base URL ${url}`];
  const host = server?.host ?? LOOPBACK;
  if (keyCount === 0 && !isLoopback(host)) {
    lines.push(`Anyone who reaches ${host} can use the models: set --api-key, or keys in the file.`);
  }
  return lines.join("\n");
}
