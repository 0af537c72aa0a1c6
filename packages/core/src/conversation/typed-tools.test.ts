import { expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { callOf, scriptedModel } from "../../test/support/scripted-conversation.js";
import { type ConversationOptions, memoryStore, replay, type Schemas, ToolConversation } from "./index.js";

const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

it("a schema determines the arguments of its tool's functions, for each tool of a list", async () => {
  const { model } = scriptedModel({ calls: [callOf("a", { city: "Oslo" }), callOf("b", { n: 2 })] }, "Done.");
  const conversation = new ToolConversation({
    model,
    tools: [
      {
        name: "a",
        parameters: z.object({ city: z.string(), days: z.number().default(3) }),
        needsApproval: (args) => {
          expectTypeOf(args).toEqualTypeOf<{ city: string; days?: number | undefined }>();
          return args.city === "Bergen";
        },
        execute: async ({ city, days }, { toolCallId }) => {
          expectTypeOf(days).toEqualTypeOf<number>();
          return `${city.toUpperCase()} ${days} ${toolCallId !== ""}`;
        },
      },
      {
        name: "b",
        parameters: { type: "object", properties: { n: { type: "number" }, m: { type: "string" } }, required: ["n"] },
        execute({ n, m }) {
          expectTypeOf(m).toEqualTypeOf<string | undefined>();
          return n.toFixed(1);
        },
      },
      { name: "c", execute: (args) => expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>() },
    ],
  });
  const { messages } = await conversation.run("Go.");
  expect(messages.flatMap((message) => (message.role === "tool" ? message.content : []))).toEqual([
    "OSLO 3 true",
    "2.0",
  ]);
});

it("a function that takes other arguments than its schema has is a type error, and so is a misspelt key", () => {
  const { model } = scriptedModel();
  new ToolConversation({
    model,
    // @ts-expect-error there is no `town`
    tools: [{ name: "a", parameters: z.object({ city: z.string() }), execute: ({ town }) => town }],
  });
  const misspelt = () =>
    // @ts-expect-error it is `parameters`
    new ToolConversation({ model, tools: [{ name: "a", paramters: z.object({ city: z.string() }) }] });
  expect(misspelt).toThrow("parameters");
});

it("a function and a class of the application keep the types of the tools", async () => {
  const briefly = <const S extends Schemas>(options: ConversationOptions<S>) =>
    new ToolConversation({ ...options, instructions: "Be brief." });
  class Agent<const S extends Schemas = Schemas> extends ToolConversation<S> {}
  for (const make of [briefly, <const S extends Schemas>(options: ConversationOptions<S>) => new Agent(options)]) {
    const { model } = scriptedModel({ calls: [callOf("a", { n: 2 })] }, "Done.");
    const execute = ({ n }: { n: number }) => n.toFixed(1);
    const made = make({ model, tools: [{ name: "a", parameters: z.object({ n: z.number() }), execute }] });
    expect((await made.run("Go.")).text).toBe("Done.");
  }
  const { model } = scriptedModel();
  briefly({ model, tools: [{ name: "a", parameters: z.object({ n: z.number() }), execute: ({ n }) => n.toFixed(1) }] });
});

it("the tools may be a choice of lists", async () => {
  const { model } = scriptedModel("Hello.");
  const isAdmin = [1, 2].length > 2;
  const look = { name: "look", parameters: city, execute: ({ city }: { city: string }) => city };
  const remove = {
    name: "remove",
    parameters: z.object({ id: z.number() }),
    needsApproval: ({ id }: { id: number }) => id > 0,
    execute: ({ id }: { id: number }) => id,
  };
  const list = [look, remove];
  const options = isAdmin ? { tools: [look, remove] } : { tools: [look] };
  const conversations = [
    new ToolConversation({ model, tools: isAdmin ? [look, remove] : [look] }),
    new ToolConversation({ model, tools: isAdmin ? [remove] : [look] }),
    new ToolConversation({ model, tools: isAdmin ? list : [look] }),
    new ToolConversation({ model, ...options }),
    await ToolConversation.resume({ model, store: memoryStore(), tools: isAdmin ? [remove] : [look] }),
  ];
  expectTypeOf(conversations).toExtend<ToolConversation[]>();
  for (const conversation of conversations) {
    const restored = ToolConversation.fromJSON(conversation.toJSON(), { model, tools: isAdmin ? [remove] : [look] });
    expect(restored.log).toHaveLength(1);
  }
  await conversations[0]?.run("Hi.");
  const again = { model: scriptedModel("Hello.").model, tools: isAdmin ? [look, remove] : [look] };
  expect((await replay(conversations[0]?.log ?? [], again)).text).toBe("Hello.");
  const forgetful = { ...remove, needsApproval: ({ id }: { id: number }) => void id };
  // @ts-expect-error `needsApproval` returns nothing
  new ToolConversation({ model, tools: isAdmin ? [look, forgetful] : [look] });
});

it("a tool that is declared before declares its own arguments", async () => {
  const { model } = scriptedModel();
  const tool = {
    name: "a",
    parameters: city,
    needsApproval: ({ city }: { city: string }) => city === "Oslo",
    execute: ({ city }: { city: string }) => city,
  };
  const conversation = new ToolConversation({ model, tools: [tool] });
  expectTypeOf(conversation).toExtend<ToolConversation>();
  expect(new ToolConversation({ model, tools: conversation.messages.length > 9 ? [tool] : [] }).messages).toEqual([]);
  const opened = await ToolConversation.resume({
    model,
    store: memoryStore(),
    tools: [tool, { name: "b", parameters: z.object({ n: z.number() }), execute: ({ n }) => n.toFixed() }],
  });
  expectTypeOf(opened).toExtend<ToolConversation>();
});
