import { describe, expect, it } from "vitest";
import { completionModel, renderChatPrompt } from "../index.js";
import type { ChatMessage } from "../types.js";
import { renderPrompt } from "./render-prompt.js";

const [cat, dog] = [{ url: "https://example.com/cat.png" }, { url: "data:image/png;base64,AAAA" }];
const user = (content: string, images?: { url: string }[]): ChatMessage => ({
  role: "user",
  content,
  ...(images && { images }),
});

describe("images of a prompt", () => {
  it("stay with their turn, also if messages are joined or have no text", () => {
    const messages: ChatMessage[] = [
      { role: "system", content: "Look." },
      user("A cat?", [cat!]),
      { role: "assistant", content: "Yes." },
      user("", [dog!]),
      user("And here?"),
      user("And again?", [cat!]),
    ];
    expect(renderPrompt({ messages }).messages).toEqual([
      { role: "system", content: "Look." },
      { role: "user", content: "A cat?", images: [cat] },
      { role: "assistant", content: "Yes." },
      { role: "user", content: "And here?\n\nAnd again?", images: [dog, cat] },
    ]);
  });

  it("are unaffected by the other content of the turn", () => {
    const tools = [{ name: "look" }];
    const [, last] = renderPrompt({ messages: [user("A cat?", [cat!])], tools, toolChoice: "required" }).messages;
    expect(last).toMatchObject({ content: expect.stringMatching(/^A cat\?\n\n/), images: [cat] });
  });

  it.each<[string, unknown, RegExp]>([
    ["not a list", { ...user("Hi"), images: "cat.png" }, /messages\[0\] has `images` that are not a list of \{ url \}/],
    ["no address", { ...user("Hi"), images: [{}] }, /not a list of \{ url \}/],
    ["an assistant's", { role: "assistant", content: "Hi", images: [cat] }, /only a user's message/],
  ])("are checked: %s", (_, message, words) => {
    expect(() => renderPrompt({ messages: [message as ChatMessage] })).toThrow(words);
  });

  it("are refused by a protocol with text only", async () => {
    const messages = [user("A cat?", [cat!])];
    expect(() => renderChatPrompt({ model: "qwen2.5", messages })).toThrow(/cannot hold images/);
    const model = completionModel({ model: "qwen2.5", async *complete() {} });
    const { messages: rendered } = renderPrompt({ messages });
    await expect(model({ messages: rendered })[Symbol.asyncIterator]().next()).rejects.toThrow(/cannot hold images/);
  });
});
