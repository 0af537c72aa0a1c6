import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const client = fileURLToPath(new URL("./client.mjs", import.meta.url));

/** The home of somebody who has these clients, each a script that says how it was called. Gone when the test ends. */
export function workplace(...clients: string[]) {
  const home = mkdtempSync(join(tmpdir(), "toolingua-launch-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const bin = join(home, "bin");
  mkdirSync(bin);
  for (const name of clients) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec "${process.execPath}" "${client}" "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return { home, env: { PATH: `${bin}:/usr/bin:/bin`, HOME: home } };
}

/** Writes a file below a folder; gives its path. */
export function fileIn(folder: string, path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  return file;
}
