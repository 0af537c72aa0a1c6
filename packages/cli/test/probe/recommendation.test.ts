import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as core from "@toolingua/core";
import { chatEndpoint } from "@toolingua/endpoints";
import { parseConfig, serve } from "@toolingua/gateway";
import * as llamaCpp from "@toolingua/llama-cpp";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { candidatesFor, type Setting } from "../../src/probe/candidates.js";
import { questions } from "../../src/probe/questions/bank.js";
import { codeLine, serveConfig } from "../../src/probe/recommendation.js";
import { resultOf } from "../../src/probe/results.js";
import { protocolNames } from "../../src/protocols/named-protocol.js";
import { cli } from "../support/cli.js";
import { scratchFolder } from "./scratch.js";
import { scriptedModel } from "./scripted-model.js";

const env = { TOOLINGUA_CACHE: scratchFolder() };
const [first] = questions(4);

/** Runs a line of code of the report, as a user would who has imported what it names. */
async function runLine(
  code: string,
  { messages, tools }: { messages: core.ChatMessage[]; tools: core.ToolDefinition[] },
) {
  const scope = { ...core, ...llamaCpp, chatEndpoint, messages, tools, process: { env: { UPSTREAM_KEY: "sk-1" } } };
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  const run = new AsyncFunction(...Object.keys(scope), `return (${code}).result();`);
  const result: core.TurnResult = await run(...Object.values(scope));
  return result;
}

test("the printed code makes the right call, and the configuration serves the model", async () => {
  const { url } = await scriptedModel({ speaks: "qwen3-coder", writes: "asked", models: [{ id: "qwen3-coder" }] });
  const file = join(scratchFolder(), "toolingua.yaml");
  const { stdout, stderr } = await cli(["probe", url, "--write", file], { env });
  expect(stderr).toContain(`Wrote ${file}: toolingua serve --config ${file}`);

  const code = stdout.trimEnd().split("\n").at(-1) ?? "";
  const messages = [{ role: "user" as const, content: first?.content ?? "" }];
  const tools = [...(first?.tools ?? [])];
  const { toolCalls } = await runLine(code, { messages, tools });
  expect(toolCalls).toMatchObject([{ name: "get_weather", arguments: { city: "Oslo" } }]);

  const config = parseConfig(readFileSync(file, "utf8"), {});
  expect(config.models).toMatchObject([
    { name: "qwen3-coder", upstream: { url: `${url}/v1` }, protocol: "qwen3-coder" },
  ]);
  const gateway = await serve({ ...config, server: { port: 0 } });
  onTestFinished(() => gateway.close());
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "qwen3-coder",
      messages,
      tools: tools.map((tool) => ({ type: "function", function: tool })),
    }),
  });
  expect(await response.json()).toMatchObject({
    choices: [{ message: { tool_calls: [{ function: { name: "get_weather", arguments: '{"city":"Oslo"}' } }] } }],
  });
});

test.each([
  ["--write", join("none", "a.yaml"), /^error: There is no folder for \S+a\.yaml\.\n$/],
  ["--write", join("mine.yaml", "a.yaml"), /^error: There is no folder for \S+a\.yaml\.\n$/],
  ["--write", "loop", /^error: \S+loop already exists: --force replaces it\.\n$/],
  ["--write", "nowhere", /^error: \S+nowhere already exists: --force replaces it\.\n$/],
  ["--write", ".", /^error: \S+ is a folder; the name of a file is needed\.\n$/],
  ["--state", ".", /\S+ is a folder; the name of a file is needed\.\n$/],
])("a file that cannot be written is found before the model is asked: %s %s", async (option, name, message) => {
  const { url } = await scriptedModel({ speaks: "hermes", writes: "asked" });
  const folder = scratchFolder();
  writeFileSync(join(folder, "mine.yaml"), "");
  for (const link of ["loop", "nowhere"]) symlinkSync(link === "loop" ? link : "none", join(folder, link));
  const { code, stdout, stderr } = await cli(["probe", url, option, join(folder, name)], { env });
  expect([code, stdout]).toEqual([70, ""]);
  expect(stderr).toMatch(message);
});

test.skipIf(!existsSync("/dev/full"))("a disk that is full is said in words", async () => {
  const { url } = await scriptedModel({ speaks: "hermes", writes: "asked" });
  const argv = ["probe", url, "-p", "hermes", "-n", "4", "--write", "/dev/full", "--force"];
  const { code, stderr } = await cli(argv, { env });
  expect(code).toBe(70);
  expect(stderr).toMatch(/error: \/dev\/full cannot be written \(ENOSPC\)\.\n$/);
});

test("an existing file is not overwritten, unless requested", async () => {
  const { url } = await scriptedModel({ speaks: "hermes", writes: "asked" });
  const file = join(scratchFolder(), "toolingua.yaml");
  writeFileSync(file, "mine\n");
  const argv = ["probe", url, "-p", "hermes", "--write", file];
  const { code, stderr } = await cli(argv, { env });
  expect(code).toBe(70);
  expect(stderr).toBe(`error: ${file} already exists: --force replaces it.\n`);
  expect(readFileSync(file, "utf8")).toBe("mine\n");
  expect((await cli([...argv, "--force"], { env })).code).toBe(0);
  expect(parseConfig(readFileSync(file, "utf8"), {}).models[0]?.protocol).toBe("hermes");
});

test("a key is never written: configuration and code take it from the environment", async () => {
  const { url } = await scriptedModel({ speaks: "hermes", writes: "asked" });
  const { stdout } = await cli(["probe", url, "-p", "hermes", "-n", "8", "--api-key", "sk-secret", "--json"], { env });
  expect(stdout).not.toContain("sk-secret");
  const { config, code } = JSON.parse(stdout).best;
  expect(parseConfig(config, { UPSTREAM_KEY: "sk-secret" }).models[0]?.upstream?.key).toBe("sk-secret");
  expect(code).toContain("apiKey: process.env.UPSTREAM_KEY");
});

test("a server's model name stays a name: it is no variable, and no line of the configuration", () => {
  const setting: Setting = { backend: "vllm", style: "native", toolChoice: "auto" };
  const [candidate] = candidatesFor(["hermes"], setting);
  if (!candidate) throw new Error("no candidate");
  const result = resultOf({ candidate, answers: [], since: 0 }, [], { questions: [], error: 0.05 });
  const name = fc.oneof(
    fc.string({ unit: "binary", minLength: 1 }),
    fc.constantFrom(
      ["$", "{SECRET}"].join(""),
      ["$$", "{SECRET:-x}"].join(""),
      "a\rmodels: []",
      "a\nmodels: []",
      "\u0085x",
      "true",
      "1e3",
      "# a",
      "*b",
    ),
  );
  fc.assert(
    fc.property(name, (model) => {
      const yaml = serveConfig({ model, baseURL: "http://127.0.0.1:1/v1", withKey: false, setting }, result, [model]);
      const { models } = parseConfig(yaml, { SECRET: "sk-1", HOME: "/root" });
      expect(models).toMatchObject([{ name: model, upstream: { url: "http://127.0.0.1:1/v1" }, protocol: "hermes" }]);
    }),
  );
});

describe("of every kind of server", () => {
  const backends = ["llama.cpp", "ollama", "openai", "vllm", "sglang", "embedded", undefined] as const;
  test.each(backends)("%s: the gateway accepts every candidate's configuration, and its code runs", async (backend) => {
    const { url } = await scriptedModel({ speaks: "hermes", writes: "always", models: [{ id: "a: model, #1" }] });
    const setting: Setting = { backend, style: "compact", toolChoice: "auto" };
    const target = {
      model: "a: model, #1",
      ...(backend !== "embedded" && { baseURL: `${url}/v1` }),
      withKey: true,
      setting,
    };
    const candidates = candidatesFor(protocolNames, setting);
    expect(candidates.some(({ constrained }) => constrained)).toBe(backend !== undefined);
    for (const candidate of candidates) {
      const result = resultOf({ candidate, answers: [], since: 0 }, [], { questions: [], error: 0.05 });
      const { models } = parseConfig(serveConfig(target, result, ["two\nlines"]), { UPSTREAM_KEY: "k" });
      expect(models[0]).toMatchObject({ name: "a: model, #1", protocol: candidate.protocol, style: "compact" });
      expect(models[0]?.constraint).toBe(candidate.constrained ? "auto" : undefined);
    }
    if (backend === "embedded") return;
    for (const candidate of candidates.filter(({ protocol }) => protocol === "hermes" || protocol === "json-action")) {
      const result = resultOf({ candidate, answers: [], since: 0 }, [], { questions: [], error: 0.05 });
      const messages = [{ role: "user" as const, content: first?.content ?? "" }];
      const { toolCalls } = await runLine(codeLine(target, result), { messages, tools: [...(first?.tools ?? [])] });
      expect(toolCalls).toMatchObject([{ name: "get_weather" }]);
    }
  });
});
