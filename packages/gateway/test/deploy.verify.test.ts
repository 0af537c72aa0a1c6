import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { reply, scriptedServer, stream } from "../../endpoints/test/support/scripted-server.js";
import { call, parameters } from "./support/gateway.js";
import { buildImage, type Stage } from "./support/image.js";

// The steps of the Dockerfile, one after the other, without Docker: what they make is asked as the container would be.

const folder = mkdtempSync(join(tmpdir(), "toolingua-image-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A command of the image: its absolute paths are in the folder of the stage. */
const here = ({ root }: Stage, words: string[]) =>
  words.map((word) => (word.startsWith("/") && existsSync(join(root, word)) ? join(root, word) : word));

it("the image serves a call, reads its file again, and ends with 0 at SIGTERM", { timeout: 900_000 }, async () => {
  const image = buildImage({
    file: fileURLToPath(new URL("../deploy/Dockerfile", import.meta.url)),
    context: fileURLToPath(new URL("../../../", import.meta.url)),
    folder,
  });
  const packages = readdirSync(join(image.root, image.workdir, "node_modules/.pnpm")).join("\n");
  expect(packages).toContain("hono@");
  expect(packages).not.toMatch(/^(typescript|vitest|node-llama-cpp|langchain)@/m);

  const upstream = await scriptedServer(stream(reply(call({ city: "Oslo" }))));
  const cwd = join(image.root, image.workdir);
  const env = {
    PATH: process.env.PATH,
    ...image.env,
    HOST: "127.0.0.1",
    PORT: "0",
    MODEL: "qwen2.5",
    UPSTREAM_BASE_URL: upstream.baseURL,
    GATEWAY_KEY: "sk-test",
  };
  const [program, ...args] = here(image, image.cmd);
  const gateway = spawn(program!, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void gateway.kill("SIGKILL"));
  const lines = createInterface(gateway.stdout)[Symbol.asyncIterator]();
  const line = async () => JSON.parse((await lines.next()).value!) as Record<string, unknown>;

  const { url } = (await line()) as { url: string };
  const [probe, ...probeArgs] = here(image, image.healthcheck);
  const checkHealth = (port: string) =>
    execFileSync(probe!, probeArgs, { cwd, env: { ...env, PORT: port }, stdio: "ignore" });
  checkHealth(new URL(url).port);
  expect(() => checkHealth("1")).toThrow();

  const asked = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer sk-test" },
    body: JSON.stringify({
      model: "gpt-5",
      messages: [{ role: "user", content: "The weather in Oslo?" }],
      tools: [{ type: "function", function: { name: "get_weather", parameters } }],
    }),
  });
  expect(await asked.json()).toMatchObject({
    choices: [{ message: { tool_calls: [{ function: { name: "get_weather", arguments: '{"city":"Oslo"}' } }] } }],
  });
  expect(await line()).toMatchObject({ api: "chat", key: "default", model: "qwen2.5", status: 200, calls: 1 });

  gateway.kill("SIGHUP");
  expect(await line()).toEqual({ event: "reloaded" });
  const [ended] = await Promise.all([once(gateway, "exit"), gateway.kill("SIGTERM")]);
  expect(ended).toEqual([0, null]);
});
