import { Presets, SingleBar } from "cli-progress";
import type { Terminal } from "./terminal.js";

/** A progress bar on standard error, with the remaining time. */
export interface Progress {
  /** Whether there is a bar. */
  readonly isShown: boolean;
  update(done: number, note?: string): void;
  /** Sets the number of steps, if it is known only later. */
  setTotal(total: number): void;
  /** Prints a note above the bar. */
  print(text: string): void;
  stop(): void;
}

/**
 * Starts a bar of `total` steps. In a pipe, and with `--quiet` or `--json`, nothing is shown. `format` is that of
 * cli-progress, with `{note}`. Loads `cli-progress`, so import this file lazily.
 *
 * @example const bar = progress(terminal, 100, "pulling [{bar}] {percentage} % {eta_formatted} {note}");
 */
export function progress(terminal: Terminal, total: number, format: string): Progress {
  const { stderr } = terminal.io;
  const print = (text: string) => terminal.note(text);
  if (terminal.quiet || terminal.json || stderr.isTTY !== true)
    return { isShown: false, update() {}, setTotal() {}, print, stop() {} };
  const bar = new SingleBar(
    // Drawn again below what is printed.
    { format, stream: stderr, barsize: 24, hideCursor: true, clearOnComplete: true, forceRedraw: true },
    Presets.shades_grey,
  );
  bar.start(total, 0, { note: "" });
  return {
    isShown: true,
    update: (done, note) => bar.update(done, note === undefined ? {} : { note }),
    setTotal: (total) => bar.setTotal(total),
    print(text) {
      stderr.write("\r\u001b[K");
      print(text);
      bar.render();
    },
    stop: () => bar.stop(),
  };
}
