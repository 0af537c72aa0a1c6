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
