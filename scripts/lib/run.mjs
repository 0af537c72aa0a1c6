import { spawn } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

/** The repository. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

const INTERRUPTED = 128 + constants.signals.SIGINT;

/** The number of commands that run. */
let running = 0;
/** The exit code of this process, if it is to end with the command, and that ends with 0. */
let ending;

// Ctrl-C reaches the whole process group: leave it to the command in front, and end when that has ended.
process.on("SIGINT", () => {
  ending = INTERRUPTED;
  if (running === 0) process.exit(INTERRUPTED);
});

/** How often to check whether the shell of `npm run` is still there, in ms: npm ends it alone, and it passes no signal on. */
const LOOK_EVERY = 250;

/**
 * Runs a command in the repository and resolves to its exit code (128 + n when signal n ended it). SIGTERM, which reaches this
 * process or the shell of `npm run` alone, is passed on, and this process ends as the command does, as it does after Ctrl-C.
 * `quiet` sends its output to stderr, so that stdout stays the answer's. `cwd`: where it runs; default: the repository.
 */
export function run(command, args, { quiet = false, env, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    running++;
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: quiet ? ["inherit", process.stderr, process.stderr] : "inherit",
      // npx is a .cmd file on Windows, which only a shell can start.
      shell: process.platform === "win32" && command === "npx",
    });
    const end = () => {
      ending = 0;
      child.kill("SIGTERM");
    };
    process.on("SIGTERM", end);
    const shell = process.ppid;
    const watch = setInterval(() => process.ppid !== shell && end(), LOOK_EVERY);
    if (process.env.npm_lifecycle_event === undefined) clearInterval(watch);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      running--;
      clearInterval(watch);
      process.off("SIGTERM", end);
      const status = code ?? 128 + (constants.signals[signal] ?? 15);
      // The signal that ended the command reaches this process too, perhaps a moment later.
      setImmediate(() => {
        if (ending !== undefined || status === INTERRUPTED) process.exit(status || ending);
        resolve(status);
      });
    });
  });
}

/** Does one step, saying so and how long it took; a step that returns a text says that instead of its time. */
export async function step(title, work) {
  const started = performance.now();
  console.error(`\u2022 ${title}`);
  const note = await work();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.error(`  ${note ?? `done in ${seconds} s`}`);
}

/** Runs a command as (part of) a step. When it fails the process ends with the command's exit code. */
export async function must(command, args, options = {}) {
  const code = await run(command, args, { quiet: true, ...options });
  if (code !== 0) {
    console.error(
      `\n\u2717 failed (exit code ${code}): ${[command.replace(process.execPath, "node"), ...args].join(" ")}`,
    );
    process.exit(code);
  }
}
