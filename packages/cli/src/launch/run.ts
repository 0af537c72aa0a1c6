import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { didYouMean } from "@toolingua/core/adapters";
import spawn from "cross-spawn";
import { CliError, codeOf } from "../terminal/errors.js";
import { exitCodes } from "../terminal/exit-codes.js";
import type { Terminal } from "../terminal/terminal.js";
import { type Client, type ConfigFile, clients, type Endpoint } from "./clients.js";
import { addressOf, endpointLater } from "./endpoint.js";
import { type GatewayOptions, startGateway } from "./gateway.js";
import { type Edit, Journal } from "./journal.js";

/** The options of `toolingua launch`. */
export interface LaunchOptions extends GatewayOptions {
  config?: boolean;
  restore?: boolean;
}

/** The default address of `toolingua serve`. */
const USUAL = "http://127.0.0.1:8000";

/** `toolingua launch`: runs a client on the user's own model. Returns the client's exit code. */
export async function run(
  terminal: Terminal,
  name: string,
  args: readonly string[],
  options: LaunchOptions,
): Promise<number> {
  const client = clientNamed(name);
  refuseManaged(client, args);
  refuseIdle(client, args, options);
  const { env } = terminal.io;
  const journal = new Journal(env);
  for (const { file, isLeft, backup } of journal.restoreLeft())
    terminal.note(isLeft ? leftWords(file, backup) : `Restored ${file}: the previous launch was killed.`);
  if (options.restore) return restore(terminal, journal, name);
  if (options.config) return await configure(terminal, journal, client, options);
  const { endpoint, close } = await startGateway(terminal, options);
  try {
    if (client.needsFile && client.file) journal.write(editOf(name, client.file, endpoint, { env, stays: false }));
    const { env: variables, args: own = [] } = client.setup(endpoint);
    if (terminal.json) terminal.noteJson({ event: "launched", client: name, url: endpoint.url, model: endpoint.model });
    return await runClient(terminal, client, [...own, ...args], { ...env, ...variables });
  } finally {
    try {
      for (const { file, isLeft, backup } of journal.restoreOwn()) if (isLeft) terminal.note(leftWords(file, backup));
    } finally {
      await close();
    }
  }
}

function clientNamed(name: string): Client {
  const client = Object.hasOwn(clients, name) ? clients[name] : undefined;
  if (client) return client;
  throw new CliError("usage", `There is no client "${name}". ${didYouMean(name, Object.keys(clients))}`);
}

/** Refuses arguments of a client that is not started, and a key of no gateway. */
function refuseIdle({ title }: Client, args: readonly string[], { url, key, config, restore }: LaunchOptions): void {
  if ((config || restore) && args.length > 0) {
    const what = `${config ? "--config" : "--restore"} does not start ${title}, so it takes no arguments of it`;
    throw new CliError("usage", `${what}: ${args.join(" ")}`);
  }
  if (key === undefined || url !== undefined || config) return;
  throw new CliError("usage", "--key is the key of --url, which is missing. The key of --upstream is --upstream-key.");
}

/** Refuses client arguments that contradict the setup. Arguments after another `--` are not options. */
function refuseManaged({ managed, managedSettings, title }: Client, given: readonly string[]): void {
  const end = given.indexOf("--");
  const args = end < 0 ? given : given.slice(0, end);
  const found = args.find((arg, i) => {
    if (managed.includes(arg.split("=")[0] ?? arg)) return true;
    const [, value = args[i + 1]] = /^(?:-c|--config)(?:=(.*))?$/s.exec(arg) ?? [undefined, ""];
    return managedSettings !== undefined && value !== undefined && managedSettings.test(value);
  });
  if (found === undefined) return;
  throw new CliError("usage", `${found} of ${title} is set by launch: use launch's own options, before the --.`);
}

function restore(terminal: Terminal, journal: Journal, name: string): number {
  const all = journal.restoreKept(name);
  const left = all.flatMap(({ file, isLeft, backup }) => (isLeft ? [{ file, backup }] : []));
  if (terminal.json) {
    const restored = all.flatMap(({ file, isLeft }) => (isLeft ? [] : [file]));
    terminal.printJson({ restored, ...(left.length > 0 && { left }) });
  } else {
    const lines = all.map(({ file, isLeft, backup }) => (isLeft ? leftWords(file, backup) : `${file} is as it was.`));
    terminal.print(lines.length > 0 ? lines.join("\n") : "Nothing was set up.");
  }
  return left.length > 0 ? exitCodes.failure : exitCodes.success;
}

const leftWords = (file: string, backup: string | undefined): string =>
  `${file} was changed since, so it stays as it is: remove from it what you do not want.${backup === undefined ? "" : ` As it was: ${backup}.`}`;

/** Sets a client up permanently. */
async function configure(
  terminal: Terminal,
  journal: Journal,
  client: Client,
  { url = USUAL, key, model, context }: LaunchOptions,
): Promise<number> {
  const { command: name } = client;
  const endpoint = await endpointLater(terminal, { url: addressOf(url), key: key?.(), model, context });
  const { file, start = client.command } = client;
  if (!file) {
    const { env, args = [] } = client.setup(endpoint);
    if (terminal.json) terminal.printJson({ client: name, env, args });
    else
      terminal.print(
        Object.entries(env)
          .map(([variable, value]) => `export ${variable}=${shell(value)}`)
          .join("\n"),
      );
    terminal.note(
      `${client.title} has no file for this: set these variables, and run \`${[start, ...args].join(" ")}\`.`,
    );
    return exitCodes.success;
  }
  const edit = editOf(name, file, endpoint, { env: terminal.io.env, stays: true });
  journal.write(edit);
  if (terminal.json)
    terminal.printJson({ client: name, file: edit.file, url: endpoint.url, model: endpoint.model, start });
  else terminal.print(`${edit.file} points ${client.title} to ${endpoint.url}. Run \`${start}\`.`);
  terminal.note(`\`toolingua launch ${name} --restore\` undoes it.`);
  return exitCodes.success;
}

function editOf(
  client: string,
  file: ConfigFile,
  endpoint: Endpoint,
  { env, stays }: { env: NodeJS.ProcessEnv; stays: boolean },
): Edit {
  const content = "changes" in file ? { changes: file.changes(endpoint) } : { text: file.text(endpoint) };
  return { client, file: file.path(env), content, stays };
}

/** A value quoted for a shell. */
const shell = (value: string) => (/^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`);

/** Runs the client in this terminal until it ends. */
function runClient(
  terminal: Terminal,
  client: Client,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { stdin, stdout, stderr, signals } = terminal.io;
  const isOwn = stdin === process.stdin;
  // The terminal sends Ctrl-C to the client, which handles it. Ignored before the client runs, since it may be ready at
  // once.
  const ignored = () => {};
  signals.on("SIGINT", ignored);
  const child = spawn(client.command, [...args], { env, stdio: isOwn ? "inherit" : "pipe" });
  if (child.stdin) stdin.pipe(child.stdin).on("error", () => {});
  child.stdout?.pipe(stdout, { end: false });
  child.stderr?.pipe(stderr, { end: false });
  // Other signals are forwarded.
  const handed = (["SIGTERM", "SIGHUP"] as const).map((signal) => [signal, () => child.kill(signal)] as const);
  for (const [signal, hand] of handed) signals.on(signal, hand);
  return ended(child, client).finally(() => {
    signals.off("SIGINT", ignored);
    for (const [signal, hand] of handed) signals.off(signal, hand);
  });
}

const ended = (child: ChildProcess, { title, command, install }: Client): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once("error", (cause) => {
      const isMissing = codeOf(cause) === "ENOENT";
      const message = isMissing
        ? `${title} is not installed: there is no program \`${command}\`. Install it: ${install}`
        : `${title} cannot be run: ${cause.message}`;
      reject(new CliError(isMissing ? "not-installed" : "failed", message, { cause }));
    });
    // As in shells: the exit code of a program that a signal ended.
    child.once("close", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
