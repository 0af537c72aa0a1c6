import { setTimeout as sleep } from "node:timers/promises";
import {
  getProtocol,
  type JsonSchema,
  type TextModel,
  type ToolDefinition,
  type ToolExecutionContext,
} from "@toolingua/core";
import type { ConversationTool } from "@toolingua/core/conversation";
import type { Pool } from "pg";

// The world outside: services that take effect, and that are as slow as the table `services` says. Every attempt leaves a
// row in `attempts`, so that it can be counted.

export const WORLD = `
  CREATE TABLE IF NOT EXISTS attempts (trip text, tool text, call text, idempotency_key text, worker text);
  CREATE TABLE IF NOT EXISTS bookings (idempotency_key text PRIMARY KEY, trip text);
  CREATE TABLE IF NOT EXISTS charges (trip text, amount integer);
  CREATE TABLE IF NOT EXISTS mails (trip text);
  CREATE TABLE IF NOT EXISTS services (answer boolean)`;

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

/** The tools of an agent that books trips. `worker`: who runs them, for the count. */
export function travelTools(pool: Pool, worker: string): ConversationTool[] {
  const attempted = (tool: string, { conversationId, toolCallId, idempotencyKey }: ToolExecutionContext) =>
    pool.query("INSERT INTO attempts VALUES ($1, $2, $3, $4, $5)", [
      conversationId,
      tool,
      toolCallId,
      idempotencyKey,
      worker,
    ]);
  const answers = async () => {
    while (!(await pool.query("SELECT 1 FROM services WHERE answer")).rowCount) await sleep(20);
  };
  return [
    {
      name: "look_up_weather",
      description: "The weather in a city",
      parameters: object({ city: { type: "string" } }),
      onCrash: "rerun",
      async execute(_, context) {
        await attempted("look_up_weather", context);
        return "Fine.";
      },
    },
    {
      name: "book_flight",
      description: "Books a flight to a city",
      parameters: object({ city: { type: "string" } }),
      // The service takes a key, and books once for each: it may be asked again.
      onCrash: "rerun",
      async execute({ city }, context) {
        await attempted("book_flight", context);
        const { idempotencyKey, conversationId } = context;
        const values = [idempotencyKey, conversationId];
        await pool.query("INSERT INTO bookings VALUES ($1, $2) ON CONFLICT (idempotency_key) DO NOTHING", values);
        await answers();
        return `Booked to ${city}.`;
      },
    },
    {
      name: "charge_card",
      description: "Charges the user's card",
      parameters: object({ amount: { type: "integer" } }),
      // The service takes no key. After a crash nobody but a person who looks can know whether the money has moved.
      onCrash: "ask",
      async execute({ amount }, context) {
        await attempted("charge_card", context);
        // Slow before it takes effect, or after, so that a crash finds both.
        const isLate = Number(amount) % 2 === 0;
        if (isLate) await answers();
        await pool.query("INSERT INTO charges VALUES ($1, $2)", [context.conversationId, amount]);
        if (!isLate) await answers();
        return `Charged ${amount}.`;
      },
    },
    {
      name: "send_mail",
      description: "Sends the user a mail",
      parameters: object({ text: { type: "string" } }),
      async execute(_, context) {
        await attempted("send_mail", context);
        await pool.query("INSERT INTO mails VALUES ($1)", [context.conversationId]);
        return "Sent.";
      },
    },
  ];
}

/** What the model does, written down: the example shows what becomes of calls, not how a model thinks of them. */
export function scriptedModel(tools: readonly ToolDefinition[]): TextModel {
  return async function* ({ messages }) {
    const amount = Number(/for (\d+)/.exec(messages.find(({ role }) => role === "user")?.content ?? "")?.[1] ?? 100);
    const city = "Oslo";
    const turns = [
      [
        { name: "look_up_weather", arguments: { city } },
        { name: "book_flight", arguments: { city } },
        { name: "charge_card", arguments: { amount } },
      ],
      [{ name: "send_mail", arguments: { text: `Your trip to ${city} is booked.` } }],
    ];
    const calls = turns[messages.filter(({ role }) => role === "assistant").length];
    yield calls ? getProtocol("hermes").renderCalls(calls, { tools }) : `Your trip to ${city} is booked.`;
  };
}
