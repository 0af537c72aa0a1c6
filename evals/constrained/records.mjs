// The measurements, one line of JSON each, so that a stopped run can continue.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

export class Records {
  constructor(file) {
    this.file = file;
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    const rows = lines.filter((line) => line.endsWith("}")).map((line) => JSON.parse(line));
    this.byKey = new Map(rows.map((row) => [row.key, row]));
  }

  get rows() {
    return [...this.byKey.values()];
  }

  has(key) {
    return this.byKey.has(key);
  }

  get(key) {
    return this.byKey.get(key);
  }

  add(key, row) {
    const line = { key, ...row };
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
    this.byKey.set(key, line);
  }
}

/** Reports the progress of a run: on one line of a terminal, otherwise from time to time. */
export function progress(total) {
  const started = performance.now();
  let done = 0;
  let last = 0;
  return (text = "") => {
    done++;
    const now = performance.now();
    if (now - last < (process.stderr.isTTY ? 200 : 30_000) && done < total) return;
    last = now;
    const left = Math.round((((now - started) / done) * (total - done)) / 1000);
    process.stderr.write(
      `${process.stderr.isTTY ? "\r\x1b[K" : ""}${done}/${total}, ${left} s left ${text}${process.stderr.isTTY ? "" : "\n"}`,
    );
  };
}
