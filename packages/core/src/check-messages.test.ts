import { describe, expect, it } from "vitest";
import { ToolConversation } from "./conversation/index.js";
import { generateWithTools, renderChatPrompt, renderPrompt } from "./index.js";
import { providers } from "./providers/index.js";
import type { ChatMessage } from "./types.js";

async function* model() {
  yield "Hello";
}

/** All ways into the core that take messages. */
const doors: Record<string, (messages: readonly ChatMessage[]) => unknown> = {
  renderPrompt: (messages) => renderPrompt({ messages }),
  renderChatPrompt: (messages) => renderChatPrompt({ model: "qwen2.5:7b", messages }).prompt,
  "renderChatPrompt with text": (messages) => renderChatPrompt({ model: "gemma-3", messages }).prompt,
  generateWithTools: async (messages) => (await generateWithTools({ model, messages }).result()).request,
  "generateWithTools with answerSchema": async (messages) =>
    (await generateWithTools({ model, messages, answerSchema: true }).result()).request,
  ToolConversation: async (messages) => {
    const conversation = new ToolConversation({ model, messages });
    await conversation.run("Hello").result();
    return conversation.messages.map((message) => ({ ...message, toolCalls: undefined }));
  },
  ...Object.fromEntries(
    Object.entries(providers).map(([name, { toRequest }]) => [
      name,
      (messages: readonly ChatMessage[]) => toRequest({ messages }),
    ]),
  ),
};

const user = { role: "user", content: "What time is it?" };
const call = { id: "1", name: "now", arguments: {} };
const result = { role: "tool", toolCallId: "1", name: "now", content: "12:00" };

const given = (...messages: unknown[]) => messages as ChatMessage[];

describe.each(Object.entries(doors))("%s", (_, door) => {
  it.each([null, undefined])("takes the content %s of an assistant's message as empty", async (content) => {
    const empty = await door(given(user, { role: "assistant", content: "", toolCalls: [call] }, result));
    const said = given(user, { role: "assistant", content, toolCalls: [call] }, result);
    const without = JSON.stringify(await door(said)).replaceAll(/"(?:id|at)":"[^"]*"/g, "");
    expect(without).toBe(JSON.stringify(empty).replaceAll(/"(?:id|at)":"[^"]*"/g, ""));
    expect(said[1]).toEqual({ role: "assistant", content, toolCalls: [call] });
  });

  it.each<[what: string, messages: unknown[], message: RegExp]>([
    [
      "a user's content that is null",
      [{ role: "user", content: null }],
      /^messages\[0\]\.content must be a string, not null\.$/,
    ],
    [
      "a result without content",
      [user, { ...result, content: undefined }],
      /^messages\[1\]\.content must be a string, not undefined\.$/,
    ],
    [
      "a content under a misspelt name",
      [{ role: "user", contents: "Hi" }],
      /^messages\[0\] has `contents`\. Did you mean `content`\?$/,
    ],
    [
      "an answer under a misspelt name",
      [user, { role: "assistant", cotent: "Hi" }],
      /^messages\[1\] has `cotent`\. Did you mean `content`\?$/,
    ],
    [
      "a result with OpenAI's id of its call",
      [user, { ...result, toolCallId: undefined, tool_call_id: "1" }],
      /^messages\[1\] has `tool_call_id`\. Did you mean `toolCallId`\?$/,
    ],
    [
      "parts as a content",
      [{ role: "user", content: [{ type: "text", text: "a" }] }],
      /^messages\[0\]\.content must be a string, not a list of parts: `openai\.fromRequest` .* reads those of OpenAI\.$/,
    ],
    [
      "the calls of OpenAI's API",
      [
        user,
        { role: "assistant", content: null, tool_calls: [{ id: "1", function: { name: "now", arguments: "{}" } }] },
      ],
      /\[1\] has `tool_calls` of OpenAI: `openai\.fromRequest` .* reads them/,
    ],
    [
      "the call of OpenAI's older API",
      [user, { role: "assistant", content: null, function_call: { name: "now", arguments: "{}" } }],
      /\[1\] has `function_call` of OpenAI/,
    ],
    ...["toolcalls", "toolCals", "tool_cals", "toolCall"].map((name): [string, unknown[], RegExp] => [
      `calls as \`${name}\``,
      [user, { role: "assistant", content: "", [name]: [call] }],
      new RegExp(`\\[1\\] has \`${name}\`\\. Did you mean \`toolCalls\`\\?`),
    ]),
    [
      "a call with an empty name",
      [user, { role: "assistant", content: "", toolCalls: [{ ...call, name: "" }] }],
      /\[1\] makes a call without a tool's name/,
    ],
  ])("refuses %s", async (_, messages, message) => {
    const refused = expect.objectContaining({ code: "bad-message", message: expect.stringMatching(message) });
    await expect(async () => await door(given(...messages))).rejects.toEqual(refused);
  });

  it("takes a result with an empty name, which its source did not say", async () => {
    expect(
      await door(given(user, { role: "assistant", content: "", toolCalls: [call] }, { ...result, name: "" })),
    ).toBeDefined();
  });

  it("refuses a role that is no text, and a list with a hole", async () => {
    for (const messages of [
      given({ ...user, role: ["user"] }),
      given({ ...user, role: 1n }),
      new Array<ChatMessage>(1),
    ])
      await expect(async () => await door(messages)).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:bad-message|unexpected-shape)$/),
      });
  });
});
