import { pathToFileURL } from "node:url";
import type { TextModel, TextModelRequest } from "@toolingua/core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { EVERYTHING, freePort, start } from "../test/processes.js";
import { connectMcp, type McpCall, type McpEvent, type McpQuestion, type McpToolset, sampleWith } from "./index.js";

// Uses the reference server, which sends every request and offers every feature.

const asked: TextModelRequest[] = [];
const model: TextModel = async function* (request) {
  asked.push(request);
  yield "Forty";
  yield { usage: { inputTokens: 1, outputTokens: 1 } };
  yield "-two.";
};
const questions: McpQuestion[] = [];
const events: McpEvent[] = [];
const calls: McpCall[] = [];
let roots = ["/tmp"];
let mcp: McpToolset;
beforeAll(async () => {
  mcp = await connectMcp(
    { everything: { command: process.execPath, args: [EVERYTHING, "stdio"] } },
    {
      media: "blocks",
      roots: () => roots,
      onSample: sampleWith(model, "deep-thought"),
      onElicit: (question) => {
        questions.push(question);
        return { action: "accept", content: { name: "Ann", check: true } };
      },
      onEvent: (event) => events.push(event),
      aroundCall: async (call, next) => {
        calls.push(call);
        if (call.arguments.message === "forbidden") throw new Error("That is not said here.");
        if (call.arguments.message === "cached") return { content: [{ type: "text", text: "from the cache" }] };
        const result = await next(call.arguments.message === "hi" ? { arguments: { message: "hello" } } : {});
        return call.arguments.message === "loud"
          ? { content: [{ type: "text", text: JSON.stringify(result.content).toUpperCase() }] }
          : result;
      },
      onProblem: () => {},
    },
  );
}, 20_000);
afterAll(() => mcp.close());

const run = (name: string, args: Record<string, unknown> = {}) =>
  mcp.tools.find((tool) => tool.toolName === name)!.execute(args, { toolCallId: "1" });
const server = () => mcp.servers.everything!;

describe("requests of a server", () => {
  test("are answered by a model", async () => {
    const said = await run("trigger-sampling-request", { prompt: "What is six by nine?", maxTokens: 7 });
    expect(said).toMatch(/"text": "Forty-two."[\s\S]*deep-thought|deep-thought[\s\S]*"text": "Forty-two."/);
    expect(asked[0]).toMatchObject({
      messages: [
        { role: "system", content: "You are a helpful test server." },
        { role: "user", content: expect.stringContaining("What is six by nine?") },
      ],
      maxTokens: 7,
      temperature: 0.7,
    });
  });

  test("are answered by the user", async () => {
    expect(await run("trigger-elicitation-request")).toMatch(/Ann/);
    expect(questions[0]).toMatchObject({
      server: "everything",
      mode: "form",
      requestedSchema: { type: "object", properties: { name: { type: "string" } } },
    });
  });

  test("include the roots and their changes", async () => {
    expect(await run("get-roots-list")).toContain(pathToFileURL("/tmp").href);
    roots = ["/srv", "file:///home/a%20b"];
    await mcp.rootsChanged();
    await vi.waitFor(async () => expect(await run("get-roots-list")).toContain("file:///srv"));
    expect(await run("get-roots-list")).toContain("file:///home/a%20b");
  });
});

describe("features of a server besides tools", () => {
  test("resources, of text and of bytes", async () => {
    const resources = await server().listResources();
    const text = resources.find(({ mimeType }) => mimeType?.startsWith("text/"))!;
    expect(await server().readResource(text.uri)).toMatchObject([{ uri: text.uri, text: expect.any(String) }]);
    const templates = await server().listResourceTemplates();
    const blob = templates.find(({ uriTemplate }) => /blob/i.test(uriTemplate))!;
    const uri = blob.uriTemplate.replace(/\{[^}]*\}/, "1");
    expect(await server().readResource(uri)).toMatchObject([{ uri, blob: expect.any(String) }]);
    await expect(server().readResource("demo://nowhere")).rejects.toMatchObject({ code: "refused" });
    await server().subscribe(text.uri);
    await server().unsubscribe(text.uri);
  });

  test("prompts, as messages for a conversation", async () => {
    const names = (await server().listPrompts()).map(({ name }) => name);
    expect(names).toContain("args-prompt");
    const { messages, chatMessages } = await server().getPrompt("args-prompt", { city: "Oslo" });
    expect(messages[0]).toMatchObject({ role: "user", content: { type: "text" } });
    expect(chatMessages).toEqual([{ role: "user", content: expect.stringContaining("Oslo") }]);
    await expect(server().getPrompt("args-prompt")).rejects.toMatchObject({ code: "refused" });
  });

  test("completion of arguments, given the others", async () => {
    const complete = (name: string, value: string, others = {}) =>
      server().complete({ prompt: "completable-prompt" }, { name, value, others });
    expect((await complete("department", "E")).values).toEqual(["Engineering"]);
    expect((await complete("name", "", { department: "Engineering" })).values.length).toBeGreaterThan(1);
  });

  test("its description and its log", async () => {
    const { implementation, capabilities, instructions } = await server().about();
    expect(implementation?.name).toMatch(/everything/);
    expect(capabilities).toMatchObject({ prompts: {}, resources: {} });
    expect(instructions).toEqual(expect.any(String));
    await server().setLogLevel("debug");
    await run("toggle-simulated-logging");
    await vi.waitFor(() => expect(events.some(({ type }) => type === "log")).toBe(true), 12_000);
    await run("toggle-simulated-logging");
  }, 15_000);
});

describe("hooks around a call", () => {
  test("change arguments and results, and answer or refuse calls", async () => {
    expect(await run("echo", { message: "hi" })).toBe("Echo: hello");
    expect(await run("echo", { message: "cached" })).toBe("from the cache");
    expect(await run("echo", { message: "loud" })).toContain("ECHO: LOUD");
    expect(await run("echo", { message: "forbidden" })).toMatchObject({
      code: "refused",
      message: "That is not said here.",
    });
    expect(calls.at(-1)).toEqual({
      server: "everything",
      tool: "echo",
      arguments: { message: "forbidden" },
      toolCallId: "1",
    });
  });
});

describe("for vision models", () => {
  test("an image is a block, and text stays text", async () => {
    expect(await run("get-tiny-image")).toEqual([
      { type: "text", text: expect.any(String) },
      { type: "image", mimeType: "image/png", data: expect.stringMatching(/^iVBOR/) },
      { type: "text", text: expect.any(String) },
    ]);
    expect(await run("echo", { message: "x" })).toBe("Echo: x");
  });
});

test("a server that supports only HTTP with SSE is reached by its URL alone", async () => {
  const port = await freePort();
  const child = await start([EVERYTHING, "sse"], { PORT: String(port) }, /running on port/);
  const old = await connectMcp({ old: { url: `http://127.0.0.1:${port}/sse` } }, { onProblem: () => {} });
  const echo = old.tools.find(({ name }) => name === "echo")!;
  expect(await echo.execute({ message: "over SSE" }, { toolCallId: "1" })).toBe("Echo: over SSE");
  await old.close();
  const named = await connectMcp(
    { old: { type: "sse", url: `http://127.0.0.1:${port}/sse` } },
    { onProblem: () => {} },
  );
  expect(named.tools.length).toBe(old.tools.length);
  await named.close();
  const only = connectMcp({ old: { type: "http", url: `http://127.0.0.1:${port}/sse` } });
  await expect(only).rejects.toMatchObject({ code: "unreachable" });
  child.kill();
}, 20_000);
