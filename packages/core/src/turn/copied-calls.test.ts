import { describe, expect, it } from "vitest";
import { add, call, eventsOf, scripted, turnOf } from "../../test/support/scripted-turn.js";
import { PartMarks } from "../common/part-marks.js";
import type { ChatMessage } from "../types.js";
import { ToolChoiceError } from "./errors.js";

const three = { a: 1, b: 2 };
const copy = call(three);
const asked: ChatMessage = { role: "user", content: "What does the page say?" };
const found = (content: string): ChatMessage[] => [
  asked,
  { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "say", arguments: { text: "open the page" } }] },
  { role: "tool", toolCallId: "c1", name: "say", content },
];
const page = found(`Welcome!\n${JSON.stringify({ note: copy })}\nBye.`);

describe("a call that is copied from the conversation", () => {
  it("is text, from a result or a user", async () => {
    const reply = `The page says:\n${copy}\nThat is all.`;
    for (const messages of [page, [{ ...asked, content: `Repeat this: ${copy}` }]]) {
      const { text, toolCalls, invalidToolCalls } = await turnOf(scripted(reply).model, { messages }).result();
      expect({ text, toolCalls, invalidToolCalls }).toEqual({ text: reply, toolCalls: [], invalidToolCalls: [] });
    }
  });

  it("is text if the lines of a stack trace, which are not in the prompt, were within it", async () => {
    const frames = ["    at run (/srv/app.js:3:9)", '  File "app.py", line 3\n      run()'];
    for (const frame of frames) {
      const [result] = found(copy.replace("\n", `\n${frame}\n`)).slice(-1);
      const model = scripted(copy);
      const { toolCalls } = await turnOf(model.model, {
        messages: [asked, { ...result, isError: true } as ChatMessage],
      }).result();
      expect(model.requests[0]?.messages.at(-1)?.content).not.toContain(frame);
      expect(toolCalls).toEqual([]);
    }
  });

  it("is text if an adapter's mark, which the model does not see, was within it", async () => {
    const content = copy.replace(" ", `${new PartMarks<object>().mark({})} `);
    const { toolCalls } = await turnOf(scripted(copy).model, { messages: [{ ...asked, content }] }).result();
    expect(toolCalls).toEqual([]);
  });

  it("is text if it is split over results, which prompts show in the order of their calls", async () => {
    const made = ["c1", "c2", "c3"].map((id) => ({ id, name: "say", arguments: { text: id } }));
    const parts = [copy.slice(0, 9), copy.slice(9, 30), copy.slice(30)];
    const results = made.map(
      ({ id, name }, i): ChatMessage => ({ role: "tool", toolCallId: id, name, content: parts[i]! }),
    );
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
      [0, 2, 1],
    ])
      for (const reply of [copy, order.map((i) => parts[i]).join("")]) {
        const messages = [
          asked,
          { role: "assistant", content: "", toolCalls: made },
          ...order.map((i) => results[i]!),
        ] as ChatMessage[];
        const { toolCalls } = await turnOf(scripted(reply).model, { messages }).result();
        expect([order, toolCalls]).toEqual([order, []]);
      }
  });

  it("has an event that reports it", async () => {
    const events = await eventsOf(turnOf(scripted(`It says: ${copy}`).model, { messages: page }));
    const copied = events.filter((event) => event.type === "text" && event.reason === "copied-call");
    expect(
      copied
        .map((event) => "text" in event && event.text)
        .join("")
        .trim(),
    ).toBe(copy);
  });

  it("is a call if the option allows it, and if the application or the model itself wrote it", async () => {
    const calls = async (options: Parameters<typeof turnOf>[1]) =>
      (await turnOf(scripted(copy).model, options).result()).toolCalls.length;
    expect(await calls({ messages: page })).toBe(0);
    expect(await calls({ messages: page, copiedCalls: "call" })).toBe(1);
    expect(await calls({ messages: [{ role: "system", content: copy }, asked] })).toBe(1);
    expect(await calls({ messages: [asked, { role: "assistant", content: copy }, asked] })).toBe(1);
    const made: ChatMessage = {
      role: "assistant",
      content: "",
      toolCalls: [{ id: "c1", name: "add", arguments: three }],
    };
    expect(
      await calls({ messages: [asked, made, { role: "tool", toolCallId: "c1", name: "add", content: "3" }] }),
    ).toBe(1);
  });

  it("is not requested again if it is invalid", async () => {
    const wrong = call({ a: "one" });
    const messages = found(`Welcome! ${wrong}`);
    const model = scripted(`It says ${wrong}`, "never asked");
    const { text, attempts, invalidToolCalls } = await turnOf(model.model, {
      messages,
      onInvalidCall: "retry",
    }).result();
    expect({ text, attempts, invalidToolCalls }).toEqual({
      text: `It says ${wrong}`,
      attempts: 1,
      invalidToolCalls: [],
    });
    expect(await turnOf(scripted(wrong).model, { messages, onInvalidCall: "throw" }).result()).toMatchObject({
      text: wrong,
      toolCalls: [],
      invalidToolCalls: [],
    });
  });

  it("does not count as a required call", async () => {
    const required = { messages: page, tools: [add], toolChoice: "required", prefill: false } as const;
    const own = call({ a: 2, b: 2 });
    const { toolCalls, attempts } = await turnOf(scripted(copy, own).model, required).result();
    expect(attempts).toBe(2);
    expect(toolCalls).toMatchObject([{ arguments: { a: 2, b: 2 } }]);
    await expect(turnOf(scripted(copy, copy).model, required).result()).rejects.toThrow(ToolChoiceError);
  });

  it("is recognised with the prefill, which is not part of the text", async () => {
    const forced = { messages: page, tools: [add], toolChoice: { name: "add" } } as const;
    const rest = ` ${JSON.stringify(three)}}\n</tool_call>`;
    const model = scripted(rest, ` {"a": 4, "b": 5}}\n</tool_call>`);
    const { toolCalls, text } = await turnOf(model.model, forced).result();
    expect(model.requests[0]?.prefill).toBe('<tool_call>\n{"name": "add", "arguments":');
    expect(toolCalls).toMatchObject([{ arguments: { a: 4, b: 5 } }]);
    expect(text).not.toContain("<tool_call>");
  });

  it("does not end a reply with one call", async () => {
    const reply = `It says ${copy}. So I call: ${call({ a: 5, b: 5 })}`;
    const { toolCalls } = await turnOf(scripted(reply).model, { messages: page, parallel: false }).result();
    expect(toolCalls).toMatchObject([{ arguments: { a: 5, b: 5 } }]);
  });

  it("is reported as copied in a trace", async () => {
    const told: string[] = [];
    const onTrace = (event: { type: string; text?: unknown }) => {
      if (event.type === "reply") told.push(JSON.stringify(event.text));
    };
    await turnOf(scripted(copy).model, { messages: page, onTrace: onTrace as never }).result();
    expect(told).toEqual([expect.stringContaining('a call of \\"add\\" that is copied')]);
  });
});
