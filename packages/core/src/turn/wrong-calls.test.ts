import { expect, it } from "vitest";
import { add, call, scripted, turnOf } from "../../test/support/scripted-turn.js";
import type { ChatMessage } from "../types.js";
import { endsWithWrongCalls } from "./wrong-calls.js";

const asked: ChatMessage = { role: "user", content: "2 + 3?" };
const made = (...args: [name: string, args: Record<string, unknown>][]): ChatMessage[] => [
  {
    role: "assistant",
    content: "",
    toolCalls: args.map(([name, given], i) => ({ id: `${i}`, name, arguments: given })),
  },
  ...args.map(([name], i) => ({ role: "tool" as const, toolCallId: `${i}`, name, content: "Wrong.", isError: true })),
];
const right: [string, Record<string, unknown>] = ["add", { a: 2, b: 3 }];
const wrong: [string, Record<string, unknown>] = ["add", { a: "two", b: 3 }];
const unknown: [string, Record<string, unknown>] = ["ad", { a: 2, b: 3 }];

it.each<[boolean, string, ChatMessage[]]>([
  [true, "arguments that do not match", [asked, ...made(wrong)]],
  [true, "an unknown tool", [asked, ...made(unknown)]],
  [true, "both", [asked, ...made(unknown, wrong)]],
  [false, "a right call beside it", [asked, ...made(right, wrong)]],
  [false, "a right call that failed", [asked, ...made(right)]],
  [false, "a right call after it", [asked, ...made(wrong), ...made(right)]],
  [false, "a question after it", [asked, ...made(wrong), asked]],
  [false, "no results", [asked, ...made(wrong).slice(0, 1)]],
  [false, "no call", [asked]],
  [false, "nothing", []],
])("is %j: messages that end with %s", (is, _, messages) => {
  expect(endsWithWrongCalls(messages, [add])).toBe(is);
});

it("ends retries about wrong calls, and those about a missing call stay", async () => {
  const messages = [asked, ...made(wrong)];
  const again = call({ a: "two", b: 3 });
  const options = { messages, tools: [add], onInvalidCall: "retry", prefill: false } as const;
  expect(await turnOf(scripted(again).model, options).result()).toMatchObject({
    attempts: 1,
    invalidToolCalls: [{ error: { code: "invalid-arguments" } }],
  });
  expect((await turnOf(scripted(again).model, { ...options, messages: [asked] }).result()).attempts).toBe(3);
  const required = { ...options, toolChoice: "required" } as const;
  const { toolCalls } = await turnOf(scripted("Hm.", call({ a: 2, b: 3 })).model, required).result();
  expect(toolCalls).toMatchObject([{ arguments: { a: 2, b: 3 } }]);
});
