import { type ChildProcess, exec, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { writeTinyModel } from "@toolingua/llama-cpp";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { reply, scriptedServer, stream } from "../../../packages/endpoints/test/support/scripted-server.js";

// The built example as a process.

const root = fileURLToPath(new URL("..", import.meta.url));
/** Where a reader runs `npm run start:gateway`. */
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "toolingua-gateway-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts the example; resolves when its output holds these words. */
async function start(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ["dist/main.js", "--port", "0", ...args], {
    cwd: root,
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.err += text;
  });
  const until = (words: RegExp) =>
    expect.poll(() => output.out + output.err, { timeout: 100_000, interval: 20 }).toMatch(words);
  return { child, output, until };
}

const ended = (child: ChildProcess) => new Promise((resolve) => child.once("exit", resolve));

// Windows has no such signals.
describe.skipIf(process.platform === "win32")("the example", () => {
  it("prints commands that work unchanged", async () => {
    const model = join(folder, "tiny.gguf");
    await writeTinyModel(model, { kind: "random", contextSize: 8192 });
    const { output, until, child } = await start([], { TOOLINGUA_MODEL: model, INIT_CWD: repository });
    await until(/node --input-type=module .*/);
    expect(output.out).toContain("cd examples/gateway && node ");
    const [curl, node] = output.out.split("\n").filter((line) => /^(curl|cd) /.test(line));
    for (const command of [curl!, node!]) {
      const { stdout } = await promisify(exec)(command, { cwd: repository, timeout: 100_000 });
      expect(stdout).toContain('"get_weather"');
    }
    await until(/"api":"chat".*"calls":1/);
    child.kill("SIGTERM");
    expect(await ended(child)).toBe(0);
  });

  it("reads its file again at SIGHUP, and keeps its configuration if that is invalid", async () => {
    const upstream = await scriptedServer(stream(reply("Hello")));
    const path = join(folder, "toolingua.yaml");
    const write = (name: string) =>
      writeFileSync(path, `models: [{ name: ${name}, upstream: { baseURL: "\${UP}" } }]\nserver: { port: 0 }\n`);
    write("one");
    const { child, output, until } = await start(["--config", path], { UP: upstream.baseURL });
    await until(/listening on/);
    const url = /http:\/\/[\d.:]+/.exec(output.out)![0];
    const models = async () =>
      ((await (await fetch(`${url}/v1/models`)).json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    write("two");
    child.kill("SIGHUP");
    await until(/read again/);
    expect(await models()).toEqual(["two"]);
    writeFileSync(path, "models: []\n");
    child.kill("SIGHUP");
    await until(/line 1, column 1: models: needs at least one model/);
    expect(await models()).toEqual(["two"]);
  });

  it("lists the options", async () => {
    const wrong = await start(["--prot", "5"], {});
    expect(await ended(wrong.child)).toBe(2);
    expect(wrong.output.err).toMatch(/unknown option '--prot'[\s\S]*Did you mean --port/);
    expect(wrong.output.err).not.toContain(" at ");
    const help = await start(["--help"], {});
    expect(await ended(help.child)).toBe(0);
    expect(help.output.out).toContain("--config <FILE>");
  });

  it("ends with what is wrong in its file", async () => {
    const path = join(folder, "wrong.yaml");
    writeFileSync(path, "modls: []\n");
    const { child, until } = await start(["--config", path], {});
    expect(await ended(child)).toBe(1);
    await until(/line 1, column 1: modls: There is no "modls" here\. Did you mean "models"\?/);
  });
});
