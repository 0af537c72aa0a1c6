import {
  type ConversationOptions,
  type ConversationStore,
  type ConversationTool,
  memoryStore,
  ToolConversation,
} from "../../src/conversation/index.js";
import { getProtocol, type TextModel, type TextModelChunk, type TextModelRequest } from "../../src/index.js";

/** The reply of a scripted model: text, calls, or both. */
export type ScriptedReply =
  | string
  | TextModelChunk[]
  | { text?: string; calls: { name: string; arguments: Record<string, unknown> }[] };

const hermes = getProtocol("hermes");

/** The reply as text in the Hermes format. */
export function written(reply: ScriptedReply): TextModelChunk[] {
  if (Array.isArray(reply)) return reply;
  const text =
    typeof reply === "string" ? reply : `${reply.text ?? ""}\n${hermes.renderCalls(reply.calls, { tools: [] })}`;
  return text.match(/[\s\S]{1,9}/g) ?? [""];
}

/** A model with scripted replies, one per request; it records its requests. */
export function scriptedModel(...replies: ScriptedReply[]) {
  const requests: TextModelRequest[] = [];
  const model: TextModel = async function* (request) {
    const reply = replies[requests.length] ?? "Nothing more.";
    requests.push(request);
    yield* written(reply);
  };
  return {
    model,
    requests,
    last: () =>
      requests
        .at(-1)!
        .messages.map(({ content }) => content)
        .join("\n"),
  };
}

export const text = { type: "string" } as const;
export const integer = { type: "integer" } as const;

/** A tool with these required parameters; it records its calls. */
export function toolOf(
  name: string,
  properties: Record<string, { type: string }>,
  execute: (args: Record<string, unknown>, context: { signal?: AbortSignal; idempotencyKey?: string }) => unknown,
  more: Partial<ConversationTool> = {},
): ConversationTool & { runs: unknown[] } {
  const runs: unknown[] = [];
  return {
    name,
    parameters: { type: "object", properties, required: Object.keys(properties) },
    ...more,
    runs,
    execute: (args, context) => {
      runs.push(args);
      return execute(args, context);
    },
  };
}

export const weather = (more: Partial<ConversationTool> = {}) =>
  toolOf("weather", { city: text }, ({ city }) => `Fine in ${String(city)}.`, more);
export const add = (more: Partial<ConversationTool> = {}) =>
  toolOf("add", { a: integer, b: integer }, ({ a, b }) => Number(a) + Number(b), more);

/** A call that the model writes. */
export const callOf = (name: string, args: Record<string, unknown>) => ({ name, arguments: args });

/** A conversation with a scripted model in the Hermes format. */
export function conversationOf(
  replies: ScriptedReply[],
  options: Partial<ConversationOptions> = {},
): ReturnType<typeof scriptedModel> & { conversation: ToolConversation } {
  const scripted = scriptedModel(...replies);
  const conversation = new ToolConversation({ model: scripted.model, protocol: "hermes", ...options });
  return { ...scripted, conversation };
}

/** A process that ended. */
export class Crash extends Error {}

/** A store whose process ends when it holds `limit` records: what would go beyond is not stored, and nothing after. */
export function crashingStore(limit: number): ConversationStore & { alive: boolean; limit: number } {
  const inner = memoryStore();
  let stored = 0;
  return {
    alive: true,
    limit,
    async append(records, expectedCount) {
      if (!this.alive) throw new Crash();
      const room = this.limit - stored;
      if (records.length > room) {
        this.alive = false;
        // Worse than any store: only a part of what is appended at once arrives.
        if (room > 0) await inner.append(records.slice(0, room), expectedCount);
        stored += Math.max(room, 0);
        throw new Crash();
      }
      await inner.append(records, expectedCount);
      stored += records.length;
    },
    read: (from) => inner.read(from),
  };
}
