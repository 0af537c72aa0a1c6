import { generateWithTools, type ProtocolName, type ToolDefinition } from "@toolingua/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chatEndpoint, completionEndpoint, EndpointError } from "../../src/index.js";
import { collect } from "./collect.js";
import { type LlamaServer, startLlamaServer } from "./llama-server.js";

const tools: ToolDefinition[] = [
  {
    name: "set_light",
    description: "Turns the light of a room on or off.",
    parameters: {
      type: "object",
      properties: { room: { enum: ["kitchen", "bedroom", "hall"] }, on: { type: "boolean" } },
      required: ["room", "on"],
      additionalProperties: false,
    },
  },
  {
    name: "set_heating",
    description: "Sets the temperature of a room in degrees Celsius.",
    parameters: {
      type: "object",
      properties: {
        room: { enum: ["kitchen", "bedroom", "hall"] },
        degrees: { type: "integer", minimum: 5, maximum: 30 },
      },
      required: ["room", "degrees"],
      additionalProperties: false,
    },
  },
];

const requests = [
  "Turn on the light in the kitchen.",
  "Make the bedroom 19 degrees warm.",
  "It is too bright in the hall.",
];
const user = (content: string) => [{ role: "user" as const, content }];

/** Three ways to write calls: JSON between tags, elements of XML, and bare JSON. */
const protocols: ProtocolName[] = ["hermes", "am-xml", "llama3-json"];

/** How a server is known in a test. */
interface Subject {
  /** The model's file, and its chat template where the file has none. */
  model(): Promise<{ path: string; template?: string | undefined }>;
  /** How `completionEndpoint` writes its prompts. */
  format: { format: "chatml" } | { template: string };
}

/** What must hold of a real llama.cpp server with any model, however little that knows. */
export function describeServer({ model, format }: Subject): void {
  let server: LlamaServer;
  const chat = (body?: Record<string, unknown>) =>
    chatEndpoint({ baseURL: server.baseURL, model: "any", backend: "llama.cpp", body });
  const endless = () => chat({ ignore_eos: true });
  const start = async () => {
    const { path, template } = await model();
    return startLlamaServer(path, template);
  };

  beforeAll(async () => {
    server = await start();
  }, 600_000);
  afterAll(() => server?.kill());

  test.each(protocols)("calls in %s, constrained by a grammar, stream and are valid", async (protocol) => {
    const called: string[] = [];
    for (const content of requests) {
      const turn = generateWithTools({
        model: chat(),
        messages: user(content),
        tools,
        protocol,
        toolChoice: "required",
        constraint: "required",
        parallel: false,
        maxTokens: 200,
        seed: 1,
      });
      const deltas: string[] = [];
      for await (const event of turn) if (event.type === "call-delta") deltas.push(event.argumentsDelta);
      const { toolCalls, invalidToolCalls, usage } = await turn.result();
      expect([toolCalls.length, invalidToolCalls]).toEqual([1, []]);
      expect(JSON.parse(deltas.join(""))).toEqual(toolCalls[0]!.arguments);
      // It is the server that counted, though reading ended with the call.
      expect(usage).toMatchObject({ inputTokens: expect.any(Number), outputTokens: expect.any(Number) });
      expect(usage).not.toHaveProperty("estimated");
      called.push(JSON.stringify([toolCalls[0]!.name, toolCalls[0]!.arguments]));
    }
    console.log(
      `held, ${protocol}: ${called.length} of ${requests.length} replies are valid calls: ${called.join(" ")}`,
    );
  });

  test.each(protocols)("unconstrained replies in %s stream to their end", async (protocol) => {
    let calls = 0;
    for (const content of requests) {
      const turn = generateWithTools({
        model: chat(),
        messages: user(content),
        tools,
        protocol,
        maxTokens: 60,
        seed: 1,
      });
      const { text, toolCalls, invalidToolCalls, usage, finish } = await turn.result();
      expect(`${text}${toolCalls.length}${invalidToolCalls.length}`).not.toBe("00");
      expect(usage?.outputTokens).toBeGreaterThan(0);
      expect(finish ?? "stop").toMatch(/stop|length/);
      calls += toolCalls.length > 0 ? 1 : 0;
    }
    console.log(`free, ${protocol}: ${calls} of ${requests.length} replies call a tool`);
  });

  test("an optional call is constrained from its beginning, and the text before it is free", async () => {
    const texts: string[] = [];
    for (const content of requests) {
      const turn = generateWithTools({
        model: chat(),
        messages: user(content),
        tools,
        protocol: "hermes",
        constraint: "auto",
        maxTokens: 40,
        seed: 1,
      });
      const { text, invalidToolCalls } = await turn.result();
      expect(invalidToolCalls.filter(({ error }) => error.code !== "truncated")).toEqual([]);
      texts.push(text);
    }
    // A server that applied the grammar of a call from the first token on would write nothing else.
    expect(texts.join("")).not.toBe("");
  });

  test("a JSON Schema as response_format constrains too", async () => {
    const turn = generateWithTools({
      model: chat(),
      messages: user(requests[1]!),
      tools,
      protocol: "json-action",
      toolChoice: "required",
      constraint: "required",
      backend: "openai",
      maxTokens: 200,
      seed: 1,
    });
    const { toolCalls, invalidToolCalls } = await turn.result();
    expect([toolCalls.length, invalidToolCalls]).toEqual([1, []]);
  });

  test("a prefill is continued, by messages and by a whole prompt alike", async () => {
    const options = { baseURL: server.baseURL, model: "any", backend: "llama.cpp" } as const;
    const request = {
      messages: [{ role: "system" as const, content: "You count." }, ...user("Count from one to nine.")],
      prefill: "one two three four",
      maxTokens: 6,
      temperature: 0,
    };
    const byMessages = await collect(chatEndpoint(options)(request));
    const byPrompt = await collect(completionEndpoint({ ...options, ...format })(request));
    expect(byMessages.text).not.toContain("one two three");
    const { text, usage, finish } = byMessages;
    const { inputTokens, outputTokens } = usage!;
    expect(byPrompt).toMatchObject({ text, usage: { inputTokens, outputTokens }, finish });
    // The second prompt is the same, and was read before.
    expect(byPrompt.usage?.cacheReadTokens).toBeGreaterThan(usage?.cacheReadTokens ?? 0);
  });

  test("the server becomes idle after a reply is aborted, left, or ended by a local stop sequence", async () => {
    const idle = () => expect.poll(() => server.busy(), { timeout: 30_000, interval: 20 }).toBe(false);
    const request = { messages: user("Tell a long story."), maxTokens: 3000, seed: 1 };

    const controller = new AbortController();
    const reason = new Error("enough");
    const aborted = async () => {
      let pieces = 0;
      for await (const chunk of endless()({ ...request, signal: controller.signal }))
        if (typeof chunk === "string" && ++pieces === 3) {
          expect(await server.busy()).toBe(true);
          controller.abort(reason);
        }
    };
    await expect(aborted()).rejects.toBe(reason);
    const since = performance.now();
    await idle();
    console.log(`idle ${(performance.now() - since).toFixed(0)} ms after the abort`);

    for await (const chunk of endless()(request)) if (typeof chunk === "string") break;
    await idle();

    const few = chatEndpoint({ baseURL: server.baseURL, model: "any", body: { ignore_eos: true }, maxStops: 0 });
    const cut = await collect(few({ ...request, stop: ["a", "e", "i", "o", "u", " "] }));
    expect(cut).toMatchObject({ finish: "stop", text: expect.not.stringMatching(/[aeiou ]/) });
    await idle();
  });

  test("a refusal of the server has its own message", async () => {
    const refused = collect(chat()({ messages: user("Hi"), constraint: { type: "gbnf", grammar: "root ::= ((" } }));
    await expect(refused).rejects.toMatchObject({
      code: "http",
      status: 400,
      message: expect.stringContaining("grammar"),
    });
  });

  // The last: it costs the server.
  test("a server killed in the middle: the error is typed, and the text so far is kept", async () => {
    let text = "";
    const killed = async () => {
      for await (const chunk of endless()({ messages: user("Tell a long story."), maxTokens: 3000, seed: 1 }))
        if (typeof chunk === "string") {
          if (text === "") void server.kill();
          text += chunk;
        }
    };
    const error = await killed().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(EndpointError);
    expect(error).toMatchObject({ code: "cut-off", partialText: text });
    expect(text).not.toBe("");
    const gone = collect(
      chatEndpoint({ baseURL: server.baseURL, model: "any", retries: { attempts: 0 } })({ messages: user("Hi") }),
    );
    await expect(gone).rejects.toMatchObject({ code: "connect" });
  });
}
