import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChatMessage, getProtocol, type TextModel, type TextModelRequest } from "@toolingua/core";
import { type ConversationTool, ToolConversation } from "@toolingua/core/conversation";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LlamaCppEngine, resolveModel, toTextModel, writeTinyModel } from "../src/index.js";

// Wrong calls, and results, on llama.cpp in this process. Since a model makes no mistakes on demand, a grammar forces it to
// write the wrong reply, token by token. Its next reply is its own, constrained to the form of calls (`fallback`: when it is
// asked again). packages/core/src/conversation tests the same with scripted models.

const folder = mkdtempSync(join(tmpdir(), "toolingua-checklist-"));
afterAll(() => rmSync(folder, { recursive: true }));

const hermes = getProtocol("hermes");
const between = (body: string) => `<tool_call>\n${body}\n</tool_call>`;
const call = (name: string, args: Record<string, unknown>) =>
  hermes.renderCalls([{ name, arguments: args }], { tools: [] });

/** Forces the model to write these replies, one for each request; after them it is free. */
function forcing(model: TextModel, replies: readonly string[]) {
  const requests: TextModelRequest[] = [];
  const forced: TextModel = (request) => {
    const reply = replies[requests.length];
    requests.push(request);
    if (reply === undefined) return model(request);
    return model({ ...request, constraint: { type: "gbnf", grammar: `root ::= ${JSON.stringify(reply)}` } });
  };
  return { forced, requests };
}

const plain = (text: string) => text.replaceAll("\u2060", "");
const lastOf = ({ messages }: TextModelRequest) => plain(messages.at(-1)?.content ?? "");

function lights() {
  const runs: unknown[] = [];
  const tool: ConversationTool = {
    name: "set_light",
    description: "Turns a light on or off",
    parameters: {
      type: "object",
      properties: { room: { enum: ["kitchen", "hall"] }, on: { type: "boolean" } },
      required: ["room", "on"],
      additionalProperties: false,
    },
    execute: (args) => {
      runs.push(args);
      return "Done.";
    },
  };
  return { tool, runs };
}

describe("invalid calls of a model in this process", () => {
  let engine: LlamaCppEngine;
  beforeAll(async () => {
    const modelPath = join(folder, "tiny.gguf");
    await writeTinyModel(modelPath, { kind: "random", contextSize: 8192 });
    engine = await LlamaCppEngine.load({ modelPath, threads: 1 });
  });
  afterAll(() => engine?.dispose());

  it.each([
    ["invalid JSON is asked for again", between('{"name": "set_light", "arguments": {"room": [}}'), "expected a value"],
    [
      "arguments that do not match are shown the schema",
      call("set_light", { room: "cellar", on: true }),
      '["kitchen","hall"]',
    ],
  ])("%s, and the next call is valid and runs", async (_, wrong, feedback) => {
    const { tool, runs } = lights();
    const { forced, requests } = forcing(toTextModel(engine, { maxTokens: 100, seed: 1 }), [wrong]);
    const conversation = new ToolConversation({
      ...{ model: forced, tools: [tool], protocol: "hermes", constraint: "fallback" },
    });
    const { toolCalls } = await conversation.send("Light in the kitchen, please.");
    expect(requests).toHaveLength(2);
    expect(plain(requests[1]!.messages.at(-2)!.content)).toContain(wrong.slice(0, 40));
    expect(lastOf(requests[1]!)).toContain(feedback);
    expect(toolCalls[0]).toMatchObject({ name: "set_light", arguments: { on: expect.any(Boolean) } });
    for await (const { type } of conversation.run()) if (type === "tool-end") break;
    expect(runs[0]).toEqual(toolCalls[0]!.arguments);
  });

  it("an unknown tool is refused, and the error names the right one", async () => {
    const { tool, runs } = lights();
    const replies = [call("set_lihgt", { room: "hall", on: true }), "There is no such light."];
    const { forced, requests } = forcing(toTextModel(engine, { maxTokens: 100 }), replies);
    const conversation = new ToolConversation({ model: forced, tools: [tool], protocol: "hermes" });
    const result = await conversation.run("Light in the hall, please.").result();
    expect(result).toMatchObject({ text: "There is no such light.", stopReason: "answer" });
    expect(lastOf(requests[1]!)).toContain('There is no tool named "set_lihgt". Did you mean "set_light"?');
    expect(runs).toEqual([]);
  });
});

/** Only if it is in the cache, since tests use no network. */
const gemma = await resolveModel("gemma3-270m", { sources: [] }).catch(() => undefined);

describe.skipIf(!gemma)(`a flow of several steps on Gemma 3 270M${gemma ? "" : " (not in the cache)"}`, () => {
  it("uses each result in the next turn", async () => {
    const { path, chatTemplate } = gemma!;
    const engine = await LlamaCppEngine.load({ modelPath: path, chatTemplate, contextSize: 4096, threads: 1 });
    const requests: TextModelRequest[] = [];
    const embedded = toTextModel(engine, { maxTokens: 80, temperature: 0 });
    const model: TextModel = (request) => {
      requests.push(request);
      return embedded(request);
    };
    const ran: unknown[] = [];
    const step = (name: string, key: string, results: Record<string, string>): ConversationTool => ({
      name,
      parameters: { type: "object", properties: { [key]: { type: "string" } }, required: [key] },
      execute: (args) => {
        ran.push([name, args]);
        return results[String(args[key])] ?? "There is none.";
      },
    });
    const tools = [
      step("find_owner", "house", { "12": "Ada", "7": "Ben", "31": "Carla" }),
      step("find_phone", "person", { Ada: "555-0101", Ben: "555-0202", Carla: "555-0303" }),
    ];
    const worked = (house: string, person: string, phone: string): ChatMessage[] => [
      { role: "user", content: `What is the phone number of the owner of house ${house}?` },
      { role: "assistant", content: "", toolCalls: [{ id: `a${house}`, name: "find_owner", arguments: { house } }] },
      { role: "tool", toolCallId: `a${house}`, name: "find_owner", content: person },
      { role: "assistant", content: "", toolCalls: [{ id: `b${house}`, name: "find_phone", arguments: { person } }] },
      { role: "tool", toolCallId: `b${house}`, name: "find_phone", content: phone },
      { role: "assistant", content: `The number is ${phone}.` },
    ];
    const conversation = new ToolConversation({
      ...{ model, tools, protocol: "hermes", style: "signature" },
      messages: [...worked("12", "Ada", "555-0101"), ...worked("7", "Ben", "555-0202")],
    });
    try {
      const result = await conversation.run("What is the phone number of the owner of house 31?").result();
      expect(ran).toEqual([
        ["find_owner", { house: "31" }],
        ["find_phone", { person: "Carla" }],
      ]);
      expect(requests).toHaveLength(3);
      expect(lastOf(requests[1]!)).toContain("Carla");
      expect(lastOf(requests[2]!)).toContain("555-0303");
      expect(result).toMatchObject({ stopReason: "answer", text: expect.stringContaining("555-0303") });
    } finally {
      await engine.dispose();
    }
  });
});
