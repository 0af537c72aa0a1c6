import { spawn } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { cli } from "./support/cli.js";
import { answer, onModel } from "./support/launch/upstream.js";
import { fileIn, workplace } from "./support/launch/workplace.js";
import { command } from "./support/processes.js";

/** Settings of Droid, as a person wrote them: with spaces of that person's own. */
const settings = '{"theme":   "dark",\n "customModels": [{"model": "mine"}]}';
const droid = (home: string) => fileIn(home, ".factory/settings.json", settings);
const filesIn = (folder: string) => readdirSync(folder).sort();

describe("a client that reads only its file", () => {
  test("is configured there, and the file is restored exactly at the end", async () => {
    const { home, env } = workplace("droid");
    const file = droid(home);
    const { code, stdout } = await cli(["launch", "droid", ...(await onModel())], { env: { ...env, FAKE_FILE: file } });
    expect(code).toBe(7);
    const said = JSON.parse(stdout);
    expect(said.answer).toEqual(answer);
    expect(said.file).toMatchObject({
      theme: "dark",
      customModels: [{ model: "mine" }, { model: "qwen2.5:7b", id: "custom:toolingua-qwen2.5:7b" }],
      sessionDefaultSettings: { model: "custom:toolingua-qwen2.5:7b" },
    });
    expect(readFileSync(file, "utf8")).toBe(settings);
    expect(filesIn(join(home, ".factory"))).toEqual(["settings.json"]);
  });

  test("keeps its own changes to the file", async () => {
    const { home, env } = workplace("droid");
    const file = droid(home);
    const edit = { FAKE_FILE: file, FAKE_EDIT: '{"theme": "light", "telemetry": false}' };
    await cli(["launch", "droid", ...(await onModel())], { env: { ...env, ...edit } });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      theme: "light",
      telemetry: false,
      customModels: [{ model: "mine" }],
    });
  });

  test("has no file at the end if it had none before", async () => {
    const { home, env } = workplace("droid");
    const file = join(home, ".factory", "settings.json");
    const { stdout } = await cli(["launch", "droid", ...(await onModel())], { env: { ...env, FAKE_FILE: file } });
    expect(JSON.parse(stdout).answer).toEqual(answer);
    expect(existsSync(file)).toBe(false);
  });

  test("has its file restored at the next start if launch was killed", async () => {
    const { home, env } = workplace("droid", "claude");
    const file = droid(home);
    const child = spawn(process.execPath, [command, "launch", "droid", ...(await onModel())], {
      env: { ...env, FAKE_FILE: file, FAKE_WAIT: "1" },
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    const gone = new Promise((resolve) => child.once("exit", resolve));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    expect(readFileSync(file, "utf8")).toContain("custom:toolingua-qwen2.5:7b");
    // While it runs nobody else changes the file, and another launch leaves it.
    const second = await cli(["launch", "droid", ...(await onModel())], { env });
    expect(second.stderr).toContain(`is set up by another launch (process ${child.pid}), which restores it at its end`);
    child.kill("SIGKILL");
    await gone;
    // The client of the killed one is ended too.
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    expect(readFileSync(file, "utf8")).toContain("custom:toolingua-qwen2.5:7b");
    const next = await cli(["launch", "claude", ...(await onModel())], { env });
    expect(next.stderr).toBe(`Restored ${file}: the previous launch was killed.\n`);
    expect(readFileSync(file, "utf8")).toBe(settings);
    expect(filesIn(join(home, ".factory"))).toEqual(["settings.json"]);
  });

  test.each(["not JSON", "[1]", '{"customModels": {}}', '{"sessionDefaultSettings": "none"}'])(
    "is not run, and its file is unchanged, if that has %s",
    async (text) => {
      const { home, env } = workplace("droid");
      const file = fileIn(home, ".factory/settings.json", text);
      const { code, stdout, stderr } = await cli(["launch", "droid", ...(await onModel())], { env });
      expect({ code, stdout }).toEqual({ code: 70, stdout: "" });
      expect(stderr).toMatch(/so it is not changed\./);
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );
});

describe("--config", () => {
  test("configures a client permanently without running it, and --restore undoes it", async () => {
    const { home, env } = workplace("claude");
    const file = fileIn(home, ".claude/settings.json", '{"env": {"EDITOR": "vi"}}');
    const { code, stdout } = await cli(["launch", "claude", "--model", "m", "--config"], { env });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${file} points Claude Code to http://127.0.0.1:8000. Run \`claude\`.\n`,
    });
    expect(JSON.parse(readFileSync(file, "utf8")).env).toMatchObject({
      EDITOR: "vi",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:8000",
      ANTHROPIC_MODEL: "m",
    });
    // Another launch does not take it back, and a second one starts from what was there first.
    await cli(["launch", "claude", "--model", "other", "--config"], { env });
    expect(JSON.parse(readFileSync(file, "utf8")).env.ANTHROPIC_MODEL).toBe("other");
    const restored = await cli(["launch", "claude", "--restore", "--json"], { env });
    expect(JSON.parse(restored.stdout)).toEqual({ restored: [file] });
    expect(readFileSync(file, "utf8")).toBe('{"env": {"EDITOR": "vi"}}');
    expect((await cli(["launch", "claude", "--restore"], { env })).stdout).toBe("Nothing was set up.\n");
  });

  test("stays when a launch of the same client ends, whose own changes are undone", async () => {
    const { home, env } = workplace("droid");
    const file = droid(home);
    await cli(["launch", "droid", "--model", "kept", "--config"], { env });
    const kept = readFileSync(file, "utf8");
    const models = (text: string) => JSON.parse(text).customModels.map(({ model }: { model: string }) => model);
    expect(models(kept)).toEqual(["mine", "kept"]);
    const { code, stdout } = await cli(["launch", "droid", ...(await onModel())], { env: { ...env, FAKE_FILE: file } });
    expect(code).toBe(7);
    expect(models(JSON.stringify(JSON.parse(stdout).file))).toEqual(["mine", "kept", "qwen2.5:7b"]);
    expect(readFileSync(file, "utf8")).toBe(kept);
    const edit = { FAKE_FILE: file, FAKE_EDIT: '{"telemetry": false}' };
    await cli(["launch", "droid", ...(await onModel())], { env: { ...env, ...edit } });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ ...JSON.parse(kept), telemetry: false });
    await cli(["launch", "droid", "--restore"], { env });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ ...JSON.parse(settings), telemetry: false });
    expect(filesIn(join(home, ".factory"))).toEqual(["settings.json"]);
    expect(filesIn(join(home, ".local/state/toolingua/launch"))).toEqual([]);
  });

  test("is not restored while a launch of the same client runs, which would write it again", async () => {
    const { home, env } = workplace("droid");
    const file = droid(home);
    await cli(["launch", "droid", "--model", "kept", "--config"], { env });
    const child = spawn(process.execPath, [command, "launch", "droid", ...(await onModel())], {
      env: { ...env, FAKE_FILE: file, FAKE_WAIT: "1" },
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    onTestFinished(() => void process.kill(-child.pid!, "SIGKILL"));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const { code, stderr } = await cli(["launch", "droid", "--restore"], { env });
    expect({ code, stderr }).toEqual({ code: 70, stderr: expect.stringContaining("is set up by another launch") });
    expect(JSON.parse(readFileSync(file, "utf8")).customModels).toHaveLength(3);
  });

  test("leaves an object that was empty before", async () => {
    const { home, env } = workplace("claude");
    const file = fileIn(home, ".claude/settings.json", '{"env": {}}');
    await cli(["launch", "claude", "--model", "m", "--config"], { env });
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), own: 1 }));
    await cli(["launch", "claude", "--restore"], { env });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ env: {}, own: 1 });
  });

  test("writes Codex its own profile, which only the user can read", async () => {
    const { home, env } = workplace();
    const argv = ["launch", "codex", "--url", "http://gpu:9000", "--key", "k", "--model", 'a"b', "--config", "--json"];
    const { stdout } = await cli(argv, { env });
    const file = join(home, ".codex", "toolingua.config.toml");
    expect(JSON.parse(stdout)).toMatchObject({ file, start: "codex --profile toolingua" });
    expect(readFileSync(file, "utf8")).toContain('model = "a\\"b"\nmodel_provider = "toolingua"\n');
    expect(readFileSync(file, "utf8")).toContain('base_url = "http://gpu:9000/v1"\nwire_api = "responses"\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await cli(["launch", "codex", "--restore"], { env });
    // The folder was made for the file.
    expect(existsSync(join(home, ".codex"))).toBe(false);
    await cli(argv, { env });
    const own = fileIn(home, ".codex/config.toml", "");
    await cli(["launch", "codex", "--restore"], { env });
    expect([existsSync(file), existsSync(own)]).toEqual([false, true]);
  });

  test("of several launches at once: the file is restored exactly, and no copy of it is lost", async () => {
    const { home, env } = workplace();
    const before = Buffer.from('{"own": 1}');
    const file = fileIn(home, ".claude/settings.json", before.toString());
    const other = fileIn(home, ".claude/settings.json.toolingua-backup", "a copy of the user's own");
    const launch = () =>
      new Promise((resolve) => {
        const argv = [command, "launch", "claude", "--model", "m", "--config", "--quiet"];
        spawn(process.execPath, argv, { env, stdio: "ignore" }).once("exit", resolve);
      });
    expect(await Promise.all(Array.from({ length: 5 }, launch))).toEqual([0, 0, 0, 0, 0]);
    await cli(["launch", "claude", "--restore"], { env });
    expect(readFileSync(file)).toEqual(before);
    expect(readFileSync(other, "utf8")).toBe("a copy of the user's own");
    expect(filesIn(join(home, ".claude"))).toEqual(["settings.json", "settings.json.toolingua-backup"]);
    expect(filesIn(join(home, ".local/state/toolingua/launch"))).toEqual([]);
  });

  test.each([
    ["claude", ".claude/settings.json", '{"own": 1}', "// a comment\n"],
    ["codex", ".codex/toolingua.config.toml", "own = 1\n", "more = 2\n"],
  ])(
    "of %s leaves a file that was changed since, and keeps the copy of what it was",
    async (client, path, text, added) => {
      const { home, env } = workplace();
      const file = fileIn(home, path, text);
      await cli(["launch", client, "--model", "m", "--config"], { env });
      writeFileSync(file, readFileSync(file, "utf8") + added);
      const { code, stdout } = await cli(["launch", client, "--restore"], { env });
      expect(code).toBe(70);
      expect(stdout).toMatch(/was changed since, so it stays as it is.* As it was: .*\.toolingua-backup\.\n$/);
      expect(readFileSync(`${file}.toolingua-backup`, "utf8")).toBe(text);
      expect(readFileSync(file, "utf8").endsWith(added)).toBe(true);
      // The next launch does not overwrite that copy.
      writeFileSync(file, text);
      await cli(["launch", client, "--model", "m", "--config"], { env });
      const again = await cli(["launch", client, "--restore", "--json"], { env });
      expect(JSON.parse(again.stdout)).toEqual({ restored: [file] });
      expect(readFileSync(`${file}.toolingua-backup`, "utf8")).toBe(text);
    },
  );

  test("restores the bytes of a file that is not UTF-8", async () => {
    const { home, env } = workplace();
    const file = fileIn(home, ".codex/toolingua.config.toml", "");
    const bytes = Buffer.from([0x23, 0x20, 0xff, 0xfe, 0x0a]);
    writeFileSync(file, bytes);
    await cli(["launch", "codex", "--model", "m", "--config"], { env });
    await cli(["launch", "codex", "--restore"], { env });
    expect(readFileSync(file)).toEqual(bytes);
  });

  test.each<[string, (file: string) => void, RegExp]>([
    [
      "a link that leads nowhere",
      (file) => symlinkSync(`${file}.gone`, file),
      /is a link to a file that does not exist/,
    ],
    ["a link to itself", (file) => symlinkSync(file, file), /is a link to a file that does not exist/],
    ["a folder", (file) => mkdirSync(file), /is a folder; the name of a file is needed/],
    [
      "JSON that is not UTF-8",
      (file) => writeFileSync(file, Buffer.from('{"a":"\xff"}', "latin1")),
      /is not a JSON object/,
    ],
  ])("refuses %s in the place of the settings, and leaves it", async (_, make, words) => {
    const { home, env } = workplace();
    const file = fileIn(home, ".claude/settings.json", "");
    rmSync(file);
    make(file);
    const before = lstatSync(file);
    const { code, stderr } = await cli(["launch", "claude", "--model", "m", "--config"], { env });
    expect({ code, stderr }).toEqual({ code: 70, stderr: expect.stringMatching(words) });
    expect(lstatSync(file)).toMatchObject({ mode: before.mode, size: before.size });
    expect(filesIn(join(home, ".claude"))).toEqual(["settings.json"]);
  });

  test("ignores notes that it did not write", async () => {
    const { home, env } = workplace();
    const file = fileIn(home, "victim", "{}");
    const note = { version: 1, client: "claude", file, hash: "" };
    const folder = ".local/state/toolingua/launch";
    for (const [i, more] of [{ hash: 5 }, { made: "x" }, { made: [{ path: null }] }, { backup: 7 }].entries())
      fileIn(home, `${folder}/${i}.json`, JSON.stringify({ ...note, ...more }));
    mkdirSync(join(home, folder, "folder.json"));
    const { stdout, stderr } = await cli(["launch", "claude", "--restore"], { env });
    expect({ stdout, stderr }).toEqual({ stdout: "Nothing was set up.\n", stderr: "" });
    expect(readFileSync(file, "utf8")).toBe("{}");
  });

  test.each(["http://gpu:9000/?key=1", "http://gpu:9000/v1#models"])(
    "refuses %s, to which nothing can be added",
    async (url) => {
      const { env } = workplace();
      const { code, stderr } = await cli(["launch", "claude", "--model", "m", "--config", "--url", url], { env });
      expect({ code, stderr }).toEqual({
        code: 64,
        stderr: expect.stringContaining("--url is the address of the gateway, without"),
      });
    },
  );

  test("notes that no gateway answers yet, and what starts one", async () => {
    const { env } = workplace();
    const url = "http://127.0.0.1:2";
    const { code, stderr } = await cli(["launch", "codex", "--model", "m", "--config", "--url", url], { env });
    expect(code).toBe(0);
    expect(stderr).toContain(`No gateway answers at ${url} yet: \`toolingua serve\` starts one.\n`);
  });

  test("prints variables for a client without such a file", async () => {
    const { env } = workplace();
    const { stdout } = await cli(["launch", "aider", "--model", "it's", "--config"], { env });
    expect(stdout).toContain("export OPENAI_API_BASE=http://127.0.0.1:8000/v1\n");
    expect(stdout).toContain(`export AIDER_MODEL='openai/it'\\''s'\n`);
  });
});
