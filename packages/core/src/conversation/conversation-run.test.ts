import { describe, expect, it } from "vitest";
import { conversationOf } from "../../test/support/scripted-conversation.js";
import { type ConversationResult, ToolConversation } from "./index.js";

describe("a run", () => {
  it("says that a content filter ended its answer", async () => {
    async function* model() {
      yield { finish: "content-filter" as const };
    }
    const conversation = new ToolConversation({ model });
    expect(await conversation.run("Hi")).toMatchObject({ text: "", stopReason: "answer", finish: "content-filter" });
  });

  it("ends with a reply that a content filter ended, and runs no call of it", async () => {
    let runs = 0;
    const add = { name: "add", readOnly: true, execute: () => ++runs };
    async function* model() {
      yield 'I add.\n<tool_call>\n{"name": "add", "arguments": {}}\n</tool_call>';
      yield { finish: "content-filter" as const };
    }
    const conversation = new ToolConversation({ model, tools: [add], protocol: "hermes" });
    const expected = { text: "I add.", stopReason: "answer", finish: "content-filter" };
    expect(await conversation.run("Hi")).toMatchObject(expected);
    expect(conversation.messages).toMatchObject([{ role: "user" }, { role: "assistant", content: "I add." }]);
    expect(conversation.messages[1]).not.toHaveProperty("toolCalls");
    expect(runs).toBe(0);
  });

  it.each(["I will ad", '<tool_call>\n{"name": "add", "arguments": {"a'])(
    "says that the token limit cut off the required call: %j",
    async (reply) => {
      async function* model() {
        yield reply;
        yield { finish: "length" as const };
      }
      const add = { name: "add", parameters: { type: "object", required: ["a"] }, execute: () => 1 };
      const conversation = new ToolConversation({ model, tools: [add], protocol: "hermes", toolChoice: "required" });
      expect(await conversation.run("Hi")).toMatchObject({ stopReason: "invalid-replies", finish: "length" });
    },
  );

  it("has the methods of a promise, which start it", async () => {
    const { conversation } = conversationOf(["Hello.", "Again."]);
    const run: Promise<ConversationResult> = conversation.run("Hi");
    let settled = 0;
    expect(await run.finally(() => settled++)).toMatchObject({ text: "Hello." });
    expect(await conversation.run("Again").catch(() => undefined)).toMatchObject({ text: "Again." });
    const wrong = conversation.run(5 as never);
    expect(await wrong.catch(({ code }: { code: string }) => code)).toBe("bad-message");
    expect(settled).toBe(1);
    expect(Object.prototype.toString.call(run)).toBe("[object ConversationRun]");
  });

  it("is its result where it is awaited", async () => {
    const { conversation } = conversationOf(["Hello.", "Again."]);
    expect(await conversation.run("Hi")).toMatchObject({ text: "Hello.", stopReason: "answer" });
    const run = conversation.run("Hi again");
    expect(await run).toBe(await run.result());
    await expect(run[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "turn-read" });
    await expect(conversation.run(5 as never)).rejects.toMatchObject({ code: "bad-message" });
  });
});
