import { setTimeout as sleep } from "node:timers/promises";
import { getProtocol, type JsonSchema, type TextModel, type ToolDefinition } from "@toolingua/core";
import type { ConversationTool } from "@toolingua/core/conversation";
import type { Pool } from "pg";

// The outside world: services with effects, which answer once the table `services` says so. Every attempt leaves a row in
// `attempts`, so that it can be counted.

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

/** The tools of an agent that books trips. `worker`: the name of the process that runs them, for the count. */
export function travelTools(pool: Pool, worker: string): ConversationTool[] {
  /** A tool that records each attempt. */
  const recorded = (tool: ConversationTool): ConversationTool => ({
    ...tool,
    async execute(args, context) {
      const { conversationId, toolCallId, idempotencyKey } = context;
      const values = [conversationId, tool.name, toolCallId, idempotencyKey, worker];
      await pool.query("INSERT INTO attempts VALUES ($1, $2, $3, $4, $5)", values);
      return tool.execute?.(args, context);
    },
  });
  const answers = async () => {
    while (!(await pool.query("SELECT 1 FROM services WHERE answer")).rowCount) await sleep(20);
  };
  const tools: ConversationTool[] = [
    {
      name: "look_up_weather",
      description: "The weather in a city",
      parameters: object({ city: { type: "string" } }),
      onCrash: "rerun",
      execute: () => "Fine.",
    },
    {
      name: "book_flight",
      description: "Books a flight to a city",
      parameters: object({ city: { type: "string" } }),
      // The service takes a key and books once for each key, so the call may be repeated.
      onCrash: "rerun",
      async execute({ city }, { idempotencyKey, conversationId }) {
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
      // The service takes no key. After a crash only a person who checks can know whether the money has moved.
      onCrash: "ask",
      async execute({ amount }, { conversationId }) {
        // Waits before its effect, or after it, so that a crash hits both cases.
        const isLate = Number(amount) % 2 === 0;
        if (isLate) await answers();
        await pool.query("INSERT INTO charges VALUES ($1, $2)", [conversationId, amount]);
        if (!isLate) await answers();
        return `Charged ${amount}.`;
      },
    },
    {
      name: "send_mail",
      description: "Sends the user a mail",
      parameters: object({ text: { type: "string" } }),
      async execute(_, { conversationId }) {
        await pool.query("INSERT INTO mails VALUES ($1)", [conversationId]);
        return "Sent.";
      },
    },
  ];
  return tools.map(recorded);
}

/** A model with fixed replies: the example shows the fate of calls, not how a model chooses them. */
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
