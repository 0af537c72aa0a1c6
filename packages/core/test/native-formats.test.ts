import { describe, expect, it } from "vitest";
import { plainer } from "../src/chat/conversation.js";
import {
  type ChatMessage,
  ChatTemplate,
  getProtocol,
  listTools,
  type ProtocolName,
  type ToolDefinition,
} from "../src/index.js";
import { officialTemplates } from "./support/official-templates.js";

// A native protocol writes tools, calls and results as its models saw them in training, which is in their templates.

const official = officialTemplates();
const tools: ToolDefinition[] = [
  {
    name: "find_train",
    description: "The next train",
    parameters: {
      type: "object",
      properties: {
        from: { type: "string", description: "Where it leaves" },
        seats: { type: "integer", description: "How many" },
      },
      required: ["from"],
    },
  },
  {
    name: "clock",
    description: "What time it is",
    parameters: {
      type: "object",
      properties: { zone: { type: "string", description: "Time zone" } },
      required: ["zone"],
    },
  },
];
const calls = [
  { id: "train0001", name: "find_train", arguments: { from: 'Zürich "HB"', seats: 2 } },
  { id: "clock0001", name: "clock", arguments: { zone: "CET" } },
];
const results = [
  { toolCallId: "train0001", name: "find_train", content: '{"at": "9:12"}' },
  { toolCallId: "clock0001", name: "clock", content: "8:59" },
];
const conversation: ChatMessage[] = [
  { role: "user", content: "When?" },
  { role: "assistant", content: "", toolCalls: calls },
  ...results.map((result): ChatMessage => ({ role: "tool", ...result })),
];

/** `each …`: where the template shows one call or result in a message. */
type Part = "tools" | "calls" | "each call" | "results" | "each result";
const all: Part[] = ["tools", "calls", "results"];
/** The text that a protocol and a template of its models write exactly alike. */
const alike: [ProtocolName, string, Part[]][] = [
  ["hermes", "Qwen-Qwen2.5-7B-Instruct", all],
  ["hermes", "MiMo-VL", all],
  ["qwen3-coder", "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", all],
  ["qwen3-coder", "Qwen3-Coder", ["calls", "results"]],
  ["deepseek-v3", "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B", ["calls", "results"]],
  ["deepseek-v31", "deepseek-ai-DeepSeek-V3.1", ["calls", "results"]],
  ["deepseek-v32", "deepseek-ai-DeepSeek-V3.2", all],
  ["deepseek-v4", "deepseek-ai-DeepSeek-V4", all],
  ["glm45", "GLM-4.6", all],
  ["glm45", "inclusionai-ling-3.0-flash", ["results"]],
  ["minimax-m2", "MiniMax-M2", all],
  ["granite4", "ibm-granite-granite-4.0", all],
  ["gemma4", "google-gemma-4-31B-it", all],
  ["command-r", "CohereForAI-c4ai-command-r7b-12-2024-tool_use", ["calls", "results"]],
  ["command-r", "Cohere2MoE", ["calls"]],
  ["mistral", "mistralai-Ministral-3-14B-Reasoning-2512", ["calls", "results"]],
  ["kimi-k2", "moonshotai-Kimi-K2", ["calls"]],
  ["nemotron-v2", "NVIDIA-Nemotron-Nano-v2", ["calls", "results"]],
  ["functionary", "meetkai-functionary-medium-v3.1", ["tools", "calls"]],
  ["harmony", "openai-gpt-oss-120b", ["tools"]],
  ["llama3-json", "meta-llama-Llama-3.1-8B-Instruct", ["each call"]],
  ["llama3-json", "meta-llama-Llama-3.3-70B-Instruct", ["each call"]],
  ["gigachat3", "GigaChat3.1-10B-A1.8B", ["each call"]],
  ["apertus", "Apertus-8B-Instruct", ["calls"]],
  ["lfm2", "LFM2-8B-A1B", ["each result"]],
  ["glm45", "poolside-Laguna-XS.2", ["calls", "results"]],
  ["solar-open", "upstage-Solar-Open-100B", ["tools"]],
  ["minimax-m1", "MiniMax-M1", ["tools", "calls"]],
  ["muse", "muse-glimmer", ["tools", "each call", "each result"]],
];

describe.each(alike)("%s in %s", (name, file, parts) => {
  const protocol = getProtocol(name);
  const template = new ChatTemplate({ chat_template: official.get(file)!, bos_token: "", eos_token: "" });
  const messages = parts.includes("each call") ? plainer(conversation) : conversation;
  const prompt = template.render({ messages, tools, bos: true });
  const lines = protocol
    .renderTools(tools, { style: "native", toolChoice: "auto", parallel: true, listTools })
    .split("\n");
  const written: Record<Part, string[]> = {
    tools: lines.map((line) => line.trim()),
    calls: [protocol.renderCalls(calls, { tools })],
    "each call": calls.map((call) => protocol.renderCalls([call], { tools })),
    results: [protocol.renderResults(results, { tools })],
    "each result": results.map((result) => protocol.renderResults([result], { tools })),
  };

  it.each(parts)("writes %s the same way", (part) => {
    for (const text of written[part]) expect(prompt).toContain(text);
  });
});

it.each(alike.filter(([, , parts]) => parts.length === all.length))("%s is found in %s", (name, file) => {
  // Granite 4 and Hermes differ in how tools are shown, not in calls.
  expect(new ChatTemplate(official.get(file)!).protocol).toBe(name === "granite4" ? "hermes" : name);
});

describe("tools as types of TypeScript", () => {
  const declared = (name: ProtocolName) =>
    getProtocol(name).renderTools(tools, { style: "native", toolChoice: "auto", parallel: true, listTools });

  it.each([
    ["apertus", "Apertus-8B-Instruct"],
    ["gigachat3", "GigaChat3.1-10B-A1.8B"],
  ] as const)("%s declares them as %s does", (name, file) => {
    const template = new ChatTemplate({ chat_template: official.get(file)!, bos_token: "", eos_token: "" });
    const prompt = template.render({ messages: conversation.slice(0, 1), tools, bos: true });
    const section = declared(name).split("\n\nTo call")[0]!;
    expect(section).toContain("seats?: number");
    expect(prompt).toContain(section);
  });

  it("include defaults, limits and nesting", () => {
    const parameters = {
      type: "object",
      properties: {
        unit: { enum: ["C", "F"], default: "C", description: "Of the\nresult" },
        days: { type: "integer", minimum: 1 },
        tags: { type: "array", items: { type: "integer" } },
        at: { type: "object", properties: { lat: { type: "number" } }, required: ["lat"] },
      },
      required: ["at"],
    };
    const text = getProtocol("harmony").renderTools([{ name: "f", parameters }, { name: "now" }], {
      style: "native",
      toolChoice: "auto",
      parallel: true,
      listTools,
    });
    expect(text).toContain(
      'type f = (_: {\n// Of the\n// result\nunit?: "C" | "F", // default: "C"\n// minimum: 1\ndays?: number,\ntags?: number[],\nat: { lat: number },\n}) => any;',
    );
    expect(text).toContain("type now = () => any;");
  });
});
