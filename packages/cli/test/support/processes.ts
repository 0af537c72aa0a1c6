import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { spawn as spawnInTerminal } from "@lydell/node-pty";
import { onTestFinished } from "vitest";
import type { CliRun } from "./cli.js";

/** What `npm run build` wrote: the command that users get. */
export const command = fileURLToPath(new URL("../../dist/bundle/bin.js", import.meta.url));
/** Where commands run: the samples. */
export const samples = fileURLToPath(new URL("../samples/", import.meta.url));

// What decides about colours on this machine or in CI (tty.WriteStream.getColorDepth) stays out, so that tests see the same.
const ours =
  /^(TOOLINGUA_MODEL|TOOLINGUA_VERIFY|FORCE_COLOR|NO_COLOR|NODE_DISABLE_COLORS|COLORTERM|TERM|TERM_PROGRAM.*|TMUX|CI|CI_NAME|TF_BUILD|TEAMCITY_VERSION|GITHUB_ACTIONS)$/;
const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));

export interface ProcessOptions {
  stdin?: string;
  env?: Record<string, string>;
}

/** Runs the command as a process whose streams are pipes. */
export async function inPipe(args: readonly string[], { stdin = "", env }: ProcessOptions = {}): Promise<CliRun> {
  const child = spawn(process.execPath, [command, ...args], { cwd: samples, env: { ...inherited, ...env } });
  const ended = new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? -1)));
  child.stdin.end(stdin);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** What a test can do with a terminal. */
export interface Controls {
  write(keys: string): void;
  kill(): void;
}

export interface TerminalOptions {
  /** Typed at once. */
  keys?: string;
  /** Once this is shown, and what was before it: what is typed then, or done. */
  on?: readonly (readonly [shown: RegExp, then: string | ((shown: string, terminal: Controls) => void)])[];
  env?: Record<string, string>;
  columns?: number;
}

/** Runs the command in a terminal of 100 columns; what it shows has both its outputs. */
export async function inTerminal(
  args: readonly string[],
  { keys = "", on = [], env = {}, columns = 100 }: TerminalOptions = {},
): Promise<{ code: number; shown: string }> {
  const terminal = spawnInTerminal(process.execPath, [command, ...args], {
    name: "xterm-256color",
    cols: columns,
    rows: 50,
    cwd: samples,
    env: { ...inherited, ...env },
  });
  onTestFinished(() => terminal.kill());
  let shown = "";
  const left = [...on];
  terminal.onData((data) => {
    shown += data;
    for (let [next] = left; next?.[0].test(stripVTControlCharacters(shown)); [next] = left) {
      left.shift();
      if (typeof next[1] === "string") terminal.write(next[1]);
      else next[1](shown, { write: (keys) => terminal.write(keys), kill: () => terminal.kill("SIGKILL") });
    }
  });
  if (keys !== "") terminal.write(keys);
  return await new Promise((resolve) => terminal.onExit(({ exitCode }) => resolve({ code: exitCode, shown })));
}
