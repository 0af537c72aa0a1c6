import { expect, it } from "vitest";
import { z } from "zod";
import { callOf, scriptedModel } from "../../test/support/scripted-conversation.js";
import { ToolConversation } from "./index.js";

it("a tool may have a schema of another kind, by which its arguments are checked", async () => {
  const runs: unknown[] = [];
  const weather = {
    name: "weather",
    parameters: z.object({ city: z.string(), days: z.number().int() }),
    execute: (args: Record<string, unknown>) => runs.push(args),
  };
  const { model } = scriptedModel(
    { calls: [callOf("weather", { city: "Oslo", days: "2" })] },
    { calls: [callOf("weather", { city: ["a"] })] },
    "Done.",
  );
  const conversation = new ToolConversation({ model, tools: [weather], onInvalidCall: "surface" });
  expect(await conversation.run("Go.").result()).toMatchObject({ text: "Done.", stopReason: "answer" });
  expect(runs).toEqual([{ city: "Oslo", days: 2 }]);
});

it("a tool may be an instance of a class, whose methods are called on it", async () => {
  class Clock {
    readonly name = "clock";
    readonly unit = "hours";
    readonly #time = "noon";
    runs = 0;
    get parameters() {
      return z.object({ zone: z.string() });
    }
    execute({ zone }: Record<string, unknown>) {
      this.runs++;
      return `${this.#time} in ${zone}`;
    }
  }
  const clock = new Clock();
  const seen: unknown[] = [];
  const { model } = scriptedModel({ calls: [callOf("clock", { zone: "UTC" })] }, "It is noon.");
  const needsApproval = (_: unknown, tool: object) => seen.push(Object(tool).unit) < 0;
  const conversation = new ToolConversation({ model, tools: [clock], needsApproval });
  const { messages } = await conversation.run("Time?").result();
  expect(messages.find(({ role }) => role === "tool")?.content).toBe("noon in UTC");
  expect([clock.runs, seen]).toEqual([1, ["hours"]]);
});

it("a tool may have a schema that is a function without a prototype, as ArkType's are", async () => {
  const json = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const schema = Object.setPrototypeOf(() => {}, {
    "~standard": { version: 1, vendor: "test", jsonSchema: { input: () => json, output: () => json } },
  });
  const { model } = scriptedModel({ calls: [callOf("find", { city: "Oslo" })] }, "Found.");
  const find = { name: "find", parameters: schema, execute: ({ city }: Record<string, unknown>) => `${city} is here.` };
  const { messages } = await new ToolConversation({ model, tools: [find] }).run("Find Oslo.").result();
  expect(messages.find(({ role }) => role === "tool")?.content).toBe("Oslo is here.");
});

it("a schema that is none is refused at once", () => {
  const { model } = scriptedModel();
  expect(() => new ToolConversation({ model, tools: [{ name: "a", parameters: z.string() }] })).toThrow(
    'The parameters of tool "a"',
  );
});

it("a tool with a schema of zod gets the arguments as zod reads them, or is not run", async () => {
  const runs: unknown[] = [];
  const trip = {
    name: "trip",
    parameters: z
      .object({
        from: z.string().default("Oslo"),
        to: z.string().trim(),
        on: z.string().transform((text) => new Date(text)),
        seats: z.number().refine((seats) => seats % 2 === 0, "an even number"),
      })
      .refine(({ from, to }) => from !== to, "from and to differ"),
    execute: (args: Record<string, unknown>) => {
      runs.push(args);
      return "Booked.";
    },
  };
  const { model, requests } = scriptedModel(
    { calls: [callOf("trip", { to: " Rome ", on: "2026-01-02", seats: 3 })] },
    { calls: [callOf("trip", { to: "Oslo", on: "2026-01-02", seats: 2 })] },
    { calls: [callOf("trip", { to: " Rome ", on: "2026-01-02", seats: 2 })] },
    "Done.",
  );
  const conversation = new ToolConversation({ model, tools: [trip], errorDetail: "hidden" });
  const { messages, text } = await conversation.run("Go.").result();
  expect([text, runs]).toEqual(["Done.", [{ from: "Oslo", to: "Rome", on: new Date("2026-01-02"), seats: 2 }]]);
  const results = messages.flatMap((message) => (message.role === "tool" ? [message] : []));
  expect(results.map(({ isError }) => isError ?? false)).toEqual([true, true, false]);
  expect(results[0]?.content).toMatch(/^The call to "trip" was not run: [\s\S]*"seats": 3 +\/\/ ← an even number/);
  expect(results[1]?.content).toContain("from and to differ");
  expect(requests).toHaveLength(4);
});

it("a schema's transform that throws is a wrong argument", async () => {
  const parameters = z.object({
    json: z.string().transform((text) => {
      throw new Error(`not JSON: ${text}`);
    }),
  });
  const { model } = scriptedModel({ calls: [callOf("read", { json: "{" })] }, "I cannot.");
  const conversation = new ToolConversation({ model, tools: [{ name: "read", parameters, execute: () => "read" }] });
  const { messages } = await conversation.run("Go.").result();
  expect(messages.find(({ role }) => role === "tool")).toMatchObject({
    isError: true,
    content: expect.stringContaining("not JSON: {"),
  });
});
