import { Presets, SingleBar } from "cli-progress";
import type { Terminal } from "./terminal.js";

/** A progress bar on standard error, with the remaining time. */
export interface Progress {
  update(done: number, note?: string): void;
  /** Sets the number of steps, if it is known only later. */
  setTotal(total: number): void;
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
  if (terminal.quiet || terminal.json || stderr.isTTY !== true) return { update() {}, setTotal() {}, stop() {} };
  const bar = new SingleBar({ format, stream: stderr, hideCursor: true, clearOnComplete: true }, Presets.shades_grey);
  bar.start(total, 0, { note: "" });
  return {
    update: (done, note) => bar.update(done, note === undefined ? {} : { note }),
    setTotal: (total) => bar.setTotal(total),
    stop: () => bar.stop(),
  };
}
