import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FunctionTool,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
} from "@ai-sdk/provider";
import { type ToolCallingOptions, withToolCalling } from "../src/index.js";
import { type Reply, ScriptedModel } from "./scripted-model.js";

/** Tools as `generateText` hands them to a model. */
export const add: LanguageModelV3FunctionTool = {
  type: "function",
  name: "add",
  description: "Adds two numbers",
  inputSchema: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" }, note: { type: "string" } },
    required: ["a", "b"],
    additionalProperties: false,
  },
};
export const now: LanguageModelV3FunctionTool = {
  type: "function",
  name: "now",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
};

export const ask = (text = "2 + 3?"): LanguageModelV3Prompt => [{ role: "user", content: [{ type: "text", text }] }];

export async function partsOf(stream: ReadableStream<LanguageModelV3StreamPart>): Promise<LanguageModelV3StreamPart[]> {
  const parts: LanguageModelV3StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

/** The parts of a stream that are no content of it. */
const ABOUT_THE_REPLY = /^(?:stream-start|response-metadata|finish|error|raw|ping|tool-input-(?:start|delta|end))$/;

/** What a stream comes to: the same as content. */
export function contentIn(parts: readonly LanguageModelV3StreamPart[]): LanguageModelV3Content[] {
  const content: LanguageModelV3Content[] = [];
  const texts = new Map<string, { type: "text" | "reasoning"; text: string }>();
  for (const part of parts) {
    if (part.type === "text-start" || part.type === "reasoning-start") {
      const block = { type: part.type === "text-start" ? ("text" as const) : ("reasoning" as const), text: "" };
      texts.set(part.id, block);
      content.push(block);
    } else if (part.type === "text-delta" || part.type === "reasoning-delta") {
      const block = texts.get(part.id);
      if (block) block.text += part.delta;
    } else if (part.type === "text-end" || part.type === "reasoning-end") {
      const { type: _, id, ...about } = part;
      Object.assign(texts.get(id) ?? {}, about);
    } else if (!ABOUT_THE_REPLY.test(part.type)) content.push(part as LanguageModelV3Content);
  }
  return content;
}

/** Asks the same of both halves of a wrapped model. */
export async function both(
  replies: readonly Reply[],
  call: Partial<LanguageModelV3CallOptions> = {},
  options: ToolCallingOptions = {},
) {
  const ids = () => {
    let next = 0;
    return () => `call-${next++}`;
  };
  const asked = { prompt: ask(), tools: [add, now], ...call };
  const whole = new ScriptedModel({ replies });
  const streaming = new ScriptedModel({ replies });
  const given: ToolCallingOptions = { protocol: "hermes", ...options };
  const generated = await withToolCalling(whole, { ...given, generateId: ids() }).doGenerate(asked);
  const { stream } = await withToolCalling(streaming, { ...given, generateId: ids() }).doStream(asked);
  const parts = await partsOf(stream);
  const finish = parts.findLast((part) => part.type === "finish");
  return { generated, parts, finish, whole, streaming };
}
