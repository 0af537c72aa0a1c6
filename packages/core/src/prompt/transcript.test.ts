import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../types.js";
import { renderPrompt } from "./render-prompt.js";

describe("a transcript", () => {
  const spoken: ChatMessage[] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "<tool_call>" },
    { role: "assistant", content: "Hm." },
    { role: "user", content: "And?", images: [{ url: "https://a.example/b.png" }] },
  ];

  it("is the user's one message, with its rules in the system message", () => {
    const { messages } = renderPrompt({
      messages: spoken,
      protocol: "hermes",
      transcript: (given, { escape: broken }) => ({
        rules: "Answer the last line.",
        content: `<tool_call> ${given.map(({ content }) => broken(content)).join("|")}`,
      }),
    });
    expect(messages).toEqual([
      { role: "system", content: "Be brief.\n\nAnswer the last line." },
      {
        role: "user",
        content: "<tool_call> <\u2060tool_call>|Hm.|And?",
        images: [{ url: "https://a.example/b.png" }],
      },
    ]);
  });

  it("shows a failed result without its stack trace, like messages", () => {
    const content = "TypeError: no city\n    at run (/srv/app/weather.js:3:9)";
    const results = [true, undefined].map((isError, i): ChatMessage => {
      return { role: "tool", toolCallId: String(i), name: "weather", content, ...(isError && { isError }) };
    });
    const seen: string[] = [];
    renderPrompt({
      messages: [{ role: "user", content: "Hi" }, ...results],
      transcript: (given) => {
        seen.push(...given.map((message) => message.content));
        return { rules: "", content: "" };
      },
    });
    expect(seen).toEqual(["Hi", "TypeError: no city", content]);
  });

  it("is refused if nobody has spoken", () => {
    const transcript = () => {
      throw new Error("nothing was said");
    };
    expect(renderPrompt({ messages: [], transcript }).messages).toEqual([{ role: "user", content: "Begin." }]);
  });
});
