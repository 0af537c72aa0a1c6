import { describe, expect, it } from "vitest";
import { z } from "zod";
import { firstRecord, readTriggers } from "../src/conversation/index.js";
import { constraintFor, jsonSchemaToGbnf, replySchema, toolCallGrammar } from "../src/grammar/index.js";
import {
  createReplyParser,
  generateWithTools,
  listTools,
  normalizeTools,
  parseReply,
  renderChatPrompt,
  renderPrompt,
  toJsonSchema,
  validateValue,
  whyText,
} from "../src/index.js";
import {
  conversationFromJson,
  conversationToJson,
  conversationToYaml,
  formatJsonSchemaForProvider,
  parseToolCallArguments,
  providers,
  validateArguments,
} from "../src/providers/index.js";

const zod = z.object({ city: z.string(), days: z.number().int().optional() });
const ofZod = { name: "weather", description: "The weather", parameters: zod };
const ofJson = { ...ofZod, parameters: toJsonSchema(zod) };
const messages = [{ role: "user" as const, content: "Oslo?" }];
const reply = '<tool_call>{"name": "weather", "arguments": {"city": 1}}</tool_call>';
const answer = async (answerSchema: typeof zod | typeof ofJson.parameters) => {
  const model = async function* () {
    yield '{"city": "Oslo"}';
  };
  const { value, request } = await generateWithTools({ model, messages, answerSchema });
  return { value, request };
};

/** Every public function that takes a tool or a schema, with the tool and schema of zod, and with those of JSON. */
const doors: Record<string, [zod: () => unknown, json: () => unknown]> = {
  renderPrompt: [() => renderPrompt({ messages, tools: [ofZod] }), () => renderPrompt({ messages, tools: [ofJson] })],
  renderChatPrompt: [
    () => renderChatPrompt({ messages, tools: [ofZod], model: "qwen3:8b" }),
    () => renderChatPrompt({ messages, tools: [ofJson], model: "qwen3:8b" }),
  ],
  listTools: [() => listTools([ofZod], "compact"), () => listTools([ofJson], "compact")],
  normalizeTools: [() => normalizeTools([ofZod]), () => normalizeTools([ofJson])],
  parseReply: [
    () => parseReply(reply, { tools: [ofZod], generateId: () => "1" }),
    () => parseReply(reply, { tools: [ofJson], generateId: () => "1" }),
  ],
  createReplyParser: [
    () => createReplyParser({ tools: [ofZod], generateId: () => "1" }).push(reply),
    () => createReplyParser({ tools: [ofJson], generateId: () => "1" }).push(reply),
  ],
  toolCallGrammar: [
    () => toolCallGrammar({ tools: [ofZod], protocol: "hermes", toolChoice: "required" }),
    () => toolCallGrammar({ tools: [ofJson], protocol: "hermes", toolChoice: "required" }),
  ],
  constraintFor: [
    () => constraintFor("vllm", { tools: [ofZod], protocol: "hermes", toolChoice: "required" }),
    () => constraintFor("vllm", { tools: [ofJson], protocol: "hermes", toolChoice: "required" }),
  ],
  replySchema: [
    () => replySchema({ tools: [ofZod], protocol: "json-list", toolChoice: "required" }),
    () => replySchema({ tools: [ofJson], protocol: "json-list", toolChoice: "required" }),
  ],
  jsonSchemaToGbnf: [() => jsonSchemaToGbnf(zod), () => jsonSchemaToGbnf(ofJson.parameters)],
  answerSchema: [() => answer(zod), () => answer(ofJson.parameters)],
  validateValue: [() => validateValue({ city: 1 }, zod), () => validateValue({ city: 1 }, ofJson.parameters)],
  readTriggers: [
    () => readTriggers("[#weather: Oslo]", { tools: [ofZod], generateId: () => "1" }),
    () => readTriggers("[#weather: Oslo]", { tools: [ofJson], generateId: () => "1" }),
  ],
  firstRecord: [
    () => ({ ...firstRecord({ tools: [ofZod], conversationId: "a" }), at: 0 }),
    () => ({ ...firstRecord({ tools: [ofJson], conversationId: "a" }), at: 0 }),
  ],
  whyText: [
    () => whyText(`\`\`\`\n${reply}\n\`\`\``, { tools: [ofZod], protocol: "auto", reasoning: "" }),
    () => whyText(`\`\`\`\n${reply}\n\`\`\``, { tools: [ofJson], protocol: "auto", reasoning: "" }),
  ],
  validateArguments: [() => validateArguments(ofZod, { city: 1 }), () => validateArguments(ofJson, { city: 1 })],
  parseToolCallArguments: [
    () => parseToolCallArguments(ofZod, '{"city": 1}', "openai"),
    () => parseToolCallArguments(ofJson, '{"city": 1}', "openai"),
  ],
  conversationToJson: [
    () => conversationToJson({ messages, tools: [ofZod] }),
    () => conversationToJson({ messages, tools: [ofJson] }),
  ],
  conversationToYaml: [
    () => conversationToYaml({ messages, tools: [ofZod] }),
    () => conversationToYaml({ messages, tools: [ofJson] }),
  ],
  "toTools of every provider": [
    () => Object.values(providers).map((provider) => provider.toTools([ofZod])),
    () => Object.values(providers).map((provider) => provider.toTools([ofJson])),
  ],
  "toTools in strict mode": [
    () => Object.values(providers).map((provider) => provider.toTools([{ ...ofZod, strict: true }])),
    () => Object.values(providers).map((provider) => provider.toTools([{ ...ofJson, strict: true }])),
  ],
  "toRequest of every provider": [
    () => Object.values(providers).map((provider) => provider.toRequest({ messages, tools: [ofZod] })),
    () => Object.values(providers).map((provider) => provider.toRequest({ messages, tools: [ofJson] })),
  ],
  "formatSchema of every provider": [
    () => Object.values(providers).map((provider) => provider.formatSchema(zod)),
    () => Object.values(providers).map((provider) => provider.formatSchema(ofJson.parameters)),
  ],
  formatJsonSchemaForProvider: [
    () => formatJsonSchemaForProvider(zod, "gemini"),
    () => formatJsonSchemaForProvider(ofJson.parameters, "gemini"),
  ],
};

describe("a schema of a library is read as the JSON Schema that it writes", () => {
  it.each(Object.entries(doors))("by %s", async (_, [zod, json]) => {
    expect(await zod()).toEqual(await json());
  });
});

it("what is said of a value names the schema that cannot be read", () => {
  expect(validateValue(1, { city: z.string() })[0]?.message).toContain("Wrap it: z.object({ … })");
});

it("a log with a schema of a library can be read again", () => {
  const { value, losses } = conversationToJson({ messages, tools: [ofZod] });
  expect([conversationFromJson(value).value.tools, losses]).toEqual([[ofJson], []]);
});
