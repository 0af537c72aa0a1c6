import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serve } from "@toolingua/gateway";
import { describe, expect, onTestFinished, test } from "vitest";
import { cli } from "./support/cli.js";
import { answer, onModel, upstream } from "./support/launch/upstream.js";
import { fileIn, workplace } from "./support/launch/workplace.js";

/** A server that lists a model, and answers nothing else. */
const listing = async (...data: object[]) => {
  const server = createServer(({ url }, response) =>
    response.writeHead(url === "/v1/models" ? 200 : 404).end(JSON.stringify({ data })),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe("toolingua launch", () => {
  test("runs Claude Code on its own gateway, and ends with its exit code", async () => {
    const { env } = workplace("claude");
    const argv = [
      "launch",
      "claude",
      ...(await onModel()),
      "--context",
      "32000",
      "--",
      "-p",
      "Weather?",
      "--",
      "--model",
    ];
    const { code, stdout, stderr } = await cli(argv, { env });
    expect({ code, stderr }).toEqual({ code: 7, stderr: "" });
    const said = JSON.parse(stdout);
    expect(said).toMatchObject({
      args: ["-p", "Weather?", "--", "--model"],
      env: {
        ANTHROPIC_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        ANTHROPIC_AUTH_TOKEN: expect.stringMatching(/^tl-[0-9a-f]{48}$/),
        ANTHROPIC_API_KEY: "",
        ANTHROPIC_DEFAULT_OPUS_MODEL: "qwen2.5:7b",
        CLAUDE_CODE_AUTO_COMPACT_WINDOW: "32000",
        CLAUDE_CODE_ATTRIBUTION_HEADER: "0",
      },
      answer,
    });
    // The gateway ends with its client.
    await expect(fetch(said.env.ANTHROPIC_BASE_URL)).rejects.toThrow();
  });

  test.each([
    ["codex", { env: { TOOLINGUA_CLIENT_KEY: expect.stringMatching(/^tl-/) } }],
    ["opencode", { env: { OPENCODE_CONFIG_CONTENT: expect.stringContaining('"model":"toolingua/qwen2.5:7b"') } }],
    ["qwen", { env: { OPENAI_BASE_URL: expect.stringMatching(/\/v1$/), OPENAI_MODEL: "qwen2.5:7b" } }],
    ["aider", { env: { OPENAI_API_BASE: expect.stringMatching(/\/v1$/), AIDER_MODEL: "openai/qwen2.5:7b" } }],
    ["goose", { env: { GOOSE_PROVIDER: "openai", GOOSE_MODEL: "qwen2.5:7b" } }],
  ])("sets up %s by its environment, without a file", async (name, expected) => {
    const { home, env } = workplace(name);
    const { code, stdout } = await cli(["launch", name, ...(await onModel())], { env });
    expect(code).toBe(7);
    expect(JSON.parse(stdout)).toMatchObject(expected);
    expect(readdirSync(home)).toEqual(["bin"]);
  });

  test("prints what was launched to standard error with --json", async () => {
    const { env } = workplace("claude");
    const { stderr } = await cli(["launch", "claude", ...(await onModel()), "--json"], { env });
    expect(JSON.parse(stderr)).toEqual({
      event: "launched",
      client: "claude",
      url: expect.any(String),
      model: "qwen2.5:7b",
    });
  });

  test.each([
    [["--model", "b"], "b", ""],
    [[], "a", ""],
    [["--model", "b"], "b", "aliases: [claude-*], "],
  ])("serves the models of toolingua.yaml, with %j", async (flags, model, aliases) => {
    const { home, env } = workplace("claude");
    const { baseURL } = await upstream();
    const config = (name: string, more = "") => `- { name: ${name}, ${more}upstream: { baseURL: "${baseURL}" } }\n`;
    fileIn(home, "toolingua.yaml", `models:\n${config("a", aliases)}${config("b")}`);
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(home);
    const { code, stdout, stderr } = await cli(["launch", "claude", ...flags], { env });
    expect({ code, stderr }).toEqual({ code: 7, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ env: { ANTHROPIC_MODEL: model }, answer });
  });

  const running = async (...models: string[]) => {
    const config = models.map((name) => ({
      name,
      upstream: { baseURL: "http://127.0.0.1:1/v1" },
      contextWindow: 4096,
      aliases: [`${name}-too`],
    }));
    const keys = [{ name: "k", key: "k" }];
    const gateway = await serve({ models: config, server: { port: 0, keys } });
    onTestFinished(() => gateway.close());
    return gateway.url;
  };

  test("uses a running gateway", async () => {
    const { env } = workplace("qwen");
    const url = await running("m");
    const argv = ["launch", "qwen", "--url", `${url.slice("http://".length)}/v1/`, "--key", "k"];
    for (const model of ["m", "m-too"]) {
      const { stdout, stderr } = await cli([...argv, "--model", model], { env });
      expect(stderr).toBe("");
      expect(JSON.parse(stdout).env).toEqual({
        OPENAI_BASE_URL: `${url}/v1`,
        OPENAI_API_KEY: "k",
        OPENAI_MODEL: model,
      });
    }
  });

  test("takes the only model of a running gateway, and the context that the gateway names", async () => {
    const { env } = workplace("claude");
    const url = await running("m");
    const expected = { ANTHROPIC_MODEL: "m", CLAUDE_CODE_AUTO_COMPACT_WINDOW: "4096" };
    const { stdout } = await cli(["launch", "claude", "--url", url, "--key", "k"], { env });
    expect(JSON.parse(stdout).env).toMatchObject(expected);
    await cli(["launch", "claude", "--url", url, "--key", "k", "--config"], { env });
    expect(JSON.parse(readFileSync(join(env.HOME, ".claude/settings.json"), "utf8")).env).toMatchObject(expected);
  });

  test("takes the context of the model that an alias means", async () => {
    const { env } = workplace("claude");
    const url = await running("m", "n");
    for (const model of ["m-too", "n"]) {
      const { stdout, stderr } = await cli(["launch", "claude", "--url", url, "--key", "k", "-m", model], { env });
      expect(stderr).toBe("");
      expect(JSON.parse(stdout).env).toMatchObject({ ANTHROPIC_MODEL: model, CLAUDE_CODE_AUTO_COMPACT_WINDOW: "4096" });
    }
  });

  test.each([
    [8192, "8192"],
    [-5.5, "131072"],
    [0, "131072"],
    [1e300, "131072"],
    ["8192", "131072"],
  ])(
    "takes a context that another gateway names only if it is a number of tokens: %j",
    async (context_window, context) => {
      const { env } = workplace("claude");
      const gateway = createServer(({ url }, response) => {
        const list = { data: [{ id: "m" }], models: [{ slug: "m", context_window }] };
        response.end(JSON.stringify(url === "/v1/models" ? list : { id: "tiny", context_window }));
      });
      await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void gateway.close());
      const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
      for (const model of ["m", "tiny"]) {
        const { stdout } = await cli(["launch", "claude", "--url", url, "--model", model], { env });
        const { env: variables } = JSON.parse(stdout);
        expect(variables).toMatchObject({ ANTHROPIC_MODEL: model, CLAUDE_CODE_AUTO_COMPACT_WINDOW: context });
      }
    },
  );

  test.each([
    [["a", "b"], ["--key", "k"], 64, /^error: --model is missing; http:\S+ has a, b\.\n$/],
    [["a"], ["--key", "x"], 70, /answered 401\. Is the key right\?\n$/],
  ])("starts no client at a running gateway of %j with %j", async (models, flags, code, said) => {
    const { env } = workplace("claude");
    const url = await running(...models);
    for (const more of [[], ["--config"]]) {
      const started = await cli(["launch", "claude", "--url", url, ...flags, ...more], { env });
      expect(started).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(said) });
    }
  });

  test("notes a model that a running gateway does not have", async () => {
    const { env } = workplace("claude");
    const { stderr } = await cli(["launch", "claude", "--url", await running("qwen3"), "--key", "k", "-m", "qwen4"], {
      env,
    });
    expect(stderr).toMatch(/^The gateway at http:\S+ has no model "qwen4"\. Did you mean "qwen3"\?\n$/);
  });

  test("notes a model that the model's server does not list", async () => {
    const { env } = workplace("claude");
    const url = await listing({ id: "qwen2.5:7b" }, { id: "llama3.2:latest" });
    for (const [model, note] of [
      ["qwen2.5:7", 'The server lists no model "qwen2.5:7". Did you mean "qwen2.5:7b"?\n'],
      ["qwen2.5:7b", ""],
      ["llama3.2", ""],
    ] as const) {
      const { code, stderr } = await cli(["launch", "claude", "--upstream", url, "--model", model], { env });
      expect([code, stderr]).toEqual([7, note]);
    }
  });

  test("accepts any name for the model of llama.cpp's server, which answers to all", async () => {
    const { env } = workplace("claude");
    const url = await listing({ id: "/models/q.gguf", owned_by: "llamacpp" });
    expect(await cli(["launch", "claude", "--upstream", url, "--model", "m"], { env })).toMatchObject({ stderr: "" });
  });

  test.each([[[]], [["--config"]]])("notes a --url that is no gateway: %j", async (more) => {
    const { env } = workplace("claude");
    const url = await listing({ id: "m", owned_by: "library" });
    const { stderr } = await cli(["launch", "claude", "--url", url, ...more], { env });
    expect(stderr).toContain(
      `${url} is not Toolingua's gateway: the client gets that server's own tool calling. ` +
        `\`toolingua serve --upstream ${url} --model NAME\` starts a gateway in front of it.\n`,
    );
  });

  test("calls a --url that is no gateway by its address, and names the model in the command for it", async () => {
    const { env } = workplace("claude");
    const url = await listing({ id: "qwen3", owned_by: "library" });
    const { stderr } = await cli(["launch", "claude", "--url", url, "--model", "qwen4"], { env });
    expect(stderr).toContain(`\`toolingua serve --upstream ${url} --model qwen4\``);
    expect(stderr).toContain(`\n${url} has no model "qwen4". Did you mean "qwen3"?\n`);
  });

  test("names the one of several servers that does not list the model", async () => {
    const { home, env } = workplace("claude");
    const [good, other] = [await listing({ id: "m" }), await listing({ id: "n" })];
    const upstreams = `[{ baseURL: "${good}/v1" }, { baseURL: "${other}/v1" }]`;
    fileIn(home, "toolingua.yaml", `models:\n- { name: m, upstreams: ${upstreams} }\n`);
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(home);
    const { stderr } = await cli(["launch", "claude"], { env });
    expect(stderr).toMatch(new RegExp(`^${other}/v1: The server lists no model "m"\\..*\n$`));
  });

  test.each([
    ["the gateway", ["--url", "http://127.0.0.1:2", "--model", "m"]],
    ["the model's server", ["--upstream", "http://127.0.0.1:2", "--model", "m"]],
  ])("starts no client if %s does not answer", async (_, flags) => {
    const { env } = workplace("claude");
    const { code, stdout, stderr } = await cli(["launch", "claude", ...flags], { env });
    expect([code, stdout]).toEqual([70, ""]);
    expect(stderr).toMatch(/^error: Cannot reach http:\/\/127\.0\.0\.1:2\/v1\/models: .*\. Is the server running\?\n$/);
  });
});
