import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { matchGrammar } from "@toolingua/core/grammar";
import { describe, expect, onTestFinished, test } from "vitest";
import { cli } from "../support/cli.js";
import { scratchFolder } from "./scratch.js";
import { json, type ScriptedModel, scriptedModel } from "./scripted-model.js";

// Servers that are down, slow, closed, or answer anything at all.

const env = { TOOLINGUA_CACHE: scratchFolder() };
const hermes: ScriptedModel = { speaks: "hermes", writes: "asked" };
const few = ["-p", "hermes,xml", "-n", "8"];

test("one that is down is reported before anything is asked", async () => {
  const { url, close } = await scriptedModel(hermes);
  close();
  const { code, stdout, stderr } = await cli(["probe", url, "-m", "m"], { env });
  expect({ code, stdout }).toEqual({ code: 70, stdout: "" });
  expect(stderr).toMatch(
    /^error: Cannot reach http:\/\/127\.0\.0\.1:\d+\/v1\/models: .*ECONNREFUSED.*Is the server running\?\n$/,
  );
});

test("one that needs a key reports it, and so does one that refuses it; no key is ever shown", async () => {
  const { url } = await scriptedModel({
    ...hermes,
    instead: (response) => {
      json(response, 401, { error: { message: "Incorrect API key provided: sk-secret-1" } });
      return true;
    },
  });
  const without = await cli(["probe", url, ...few], { env });
  expect(without.code).toBe(70);
  expect(without.stderr).toContain("answered 401");
  const { code, stdout, stderr } = await cli(["probe", url, ...few, "--api-key", "sk-secret-1"], { env });
  expect({ code, stdout }).toEqual({ code: 70, stdout: "" });
  expect(stderr).toContain("answered 401");
  expect(stderr).not.toContain("sk-secret-1");
});

test("one that hides its models without a key is not asked further", async () => {
  const { url, requests } = await closedServer();
  const { code, stderr } = await cli(["probe", url, "-m", "m"], { env });
  expect(code).toBe(70);
  expect(stderr).toBe(`error: ${url}/v1/models answered 401. It wants an API key.\n`);
  expect(requests).toEqual(["/v1/models"]);
});

test.each([
  ["a page", "<!doctype html><title>Welcome</title>", "text/html"],
  ["nothing", "", "text/event-stream"],
  ["noise", "\u0000\u0001data:\n\n\n{{{", "text/event-stream"],
  ["JSON of something else", '{"ok":true}', "application/json"],
])("one that answers with %s is given up, with its message", async (_, body, type) => {
  const { url, requests } = await scriptedModel({
    ...hermes,
    instead: (response) => {
      response.writeHead(200, { "content-type": type }).end(body);
      return true;
    },
  });
  const { code, stdout, stderr } = await cli(["probe", url, ...few], { env });
  expect({ code, stdout }).toEqual({ code: 70, stdout: "" });
  expect(stderr).toContain(
    "error: The server failed 4 times in a row (no question was answered so far). The last time:",
  );
  expect(requests.length).toBe(4);
});

test("one that is too slow is given up too", async () => {
  const { url } = await scriptedModel({ ...hermes, instead: () => true });
  const { code, stderr } = await cli(["probe", url, ...few, "--timeout", "0.2501", "--concurrency", "4"], { env });
  expect(code).toBe(70);
  expect(stderr).toContain("No answer within 0.251 s (--timeout).");
});

test("single failures are wrong answers, and are asked again by the same command", async () => {
  const { url, requests } = await scriptedModel({
    ...hermes,
    instead: (response, number) => {
      if (number !== 3) return false;
      response.writeHead(200, { "content-type": "text/event-stream" }).end("data: {}\n\n");
      return true;
    },
  });
  const argv = ["probe", url, "-p", "hermes", "--no-server-tools", "-n", "8", "--json"];
  const first = JSON.parse((await cli(argv, { env })).stdout);
  expect(first.candidates[0]).toMatchObject({ right: { asked: 8, count: 7 }, faults: { failed: 1 } });
  const second = JSON.parse((await cli(argv, { env })).stdout);
  expect(second.candidates[0]).toMatchObject({ right: { asked: 8, count: 8 }, faults: {} });
  expect(requests.length).toBe(9);
});

test("one that dies during the probe: earlier answers are kept", async () => {
  const server = await scriptedModel({
    ...hermes,
    instead: (_, number) => {
      if (number === 6) server.close();
      return false;
    },
  });
  const file = `${scratchFolder()}/state.jsonl`;
  const argv = ["probe", server.url, "-p", "hermes", "--no-server-tools", "-n", "8", "--state", file];
  const broken = await cli(argv, { env });
  expect(broken.code).toBe(70);
  expect(broken.stderr).toMatch(/5 answers are kept: the same command goes on\.\n/);
});

test("tools that crash the server's own parser are its wrong answers", async () => {
  const { url } = await scriptedModel({ ...hermes, serverTools: "crash" });
  const { stdout } = await cli(["probe", url, ...few], { env });
  expect(stdout).toContain("server tools: cannot be asked: The server answered 500: Failed to parse input at pos 3");
});

describe("a server's description of itself", () => {
  const template = `{% for tool in tools or [] %}{{ tool | tojson }}{% endfor %}{% for message in messages %}<|{{ message.role }}|>{{ message.content }}
{%- for call in message.tool_calls or [] %}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}{% endfor %}`;

  test("llama.cpp shows the chat template: the native format is asked first, free and constrained by a grammar", async () => {
    const { url, requests } = await scriptedModel({ ...hermes, template });
    const { stdout, stderr } = await cli(["probe", url, "-n", "4", "--json"], { env });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      backend: "llama.cpp",
      native: { protocol: "hermes", from: "its chat template (/props)" },
      winner: { protocol: "hermes", constraint: "off" },
    });
    expect(stderr).toContain("llama.cpp; the model: trained on hermes, by its chat template (/props); at most");
    const ids = report.candidates.map(({ id }: { id: string }) => id);
    expect(ids.slice(0, 2)).toEqual(["hermes", "hermes constrained"]);
    expect(requests[0]).not.toHaveProperty("grammar");
    // The grammar leaves text before the call free.
    const { grammar } = { grammar: undefined, ...requests[4] };
    expect(matchGrammar(String(grammar), "It is sunny.").matches).toBe(true);
    // The server overwrites this field of a chat request.
    for (const request of requests) expect(request).not.toHaveProperty("preserved_tokens");
  });

  test("Ollama shows its own template", async () => {
    const { url } = await ollama();
    const { stdout } = await cli(["probe", url, "-m", "my-model", "-n", "4", "-p", "hermes,json-action", "--json"], {
      env,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      backend: "ollama",
      native: { protocol: "hermes", from: "its chat template (/api/show)" },
      candidates: [{ id: "hermes" }, { id: "json-action" }, { id: "json-action constrained" }, { id: "server tools" }],
    });
  });

  test("the owner of the models identifies it", async () => {
    const { url } = await scriptedModel({ ...hermes, models: [{ id: "qwen3-8b", owned_by: "vllm" }] });
    const { stdout } = await cli(["probe", url, "-n", "4", "-p", "hermes", "--json"], { env });
    expect(JSON.parse(stdout)).toMatchObject({ backend: "vllm", model: "qwen3-8b", native: { protocol: "hermes" } });
  });

  test("of several models one must be named, and an unlisted name is noted", async () => {
    const models = [{ id: "qwen3-8b" }, { id: "gemma-3" }];
    const { url } = await scriptedModel({ ...hermes, models });
    const unnamed = await cli(["probe", url], { env });
    expect(unnamed.code).toBe(64);
    expect(unnamed.stderr).toContain("has qwen3-8b, gemma-3.");
    const { stderr } = await cli(["probe", url, "-m", "qwen3-8", "-n", "4", "-p", "hermes"], { env });
    expect(stderr).toContain('The server lists no model "qwen3-8". Did you mean "qwen3-8b"?');
  });
});

async function closedServer() {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    json(response, 401, {});
  });
  return { url: await listening(server), requests };
}

/** What Ollama shows of a model; it answers nothing. */
async function ollama() {
  const calls = `<tool_call>
{{ range .ToolCalls }}{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}{{ end }}
</tool_call>`;
  const server = createServer((request, response) => {
    if (request.url === "/api/show") return json(response, 200, { template: `{{ .System }}${calls}`, model_info: {} });
    if (request.url === "/v1/models") return json(response, 200, { data: [{ id: "my-model", owned_by: "library" }] });
    if (request.url !== "/v1/chat/completions") return json(response, 404, {});
    return json(response, 200, {
      choices: [{ message: { role: "assistant", content: "Well." }, finish_reason: "stop" }],
    });
  });
  return { url: await listening(server) };
}

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
