import { expect, it } from "vitest";
import type { ChatMessage } from "../types.js";
import { oneCallATurn } from "./one-call-a-turn.js";

const called = (...ids: string[]): ChatMessage => ({
  role: "assistant",
  content: "",
  toolCalls: ids.map((id, i) => ({ id, name: "a", arguments: { i } })),
});
const result = (toolCallId: string, content: string): ChatMessage => ({ role: "tool", toolCallId, name: "a", content });
const order = (messages: ChatMessage[]) =>
  oneCallATurn(messages).map((one) => (one.role === "assistant" ? one.toolCalls?.[0]?.arguments.i : one.content));

it("each call is followed by its result, in the order of the calls", () => {
  expect(order([called("x", "y"), result("y", "Y"), result("x", "X"), result("z", "Z")])).toEqual([
    0,
    "X",
    1,
    "Y",
    "Z",
  ]);
});

it("calls that share an id have one result each, in order, and none is written twice", () => {
  expect(order([called("x", "x"), result("x", "1"), result("x", "2")])).toEqual([0, "1", 1, "2"]);
  expect(order([called("x", "x"), result("x", "1")])).toEqual([0, "1", 1]);
  expect(order([called("x", "x"), result("x", "1"), result("x", "2"), result("x", "3")])).toEqual([
    0,
    "1",
    1,
    "2",
    "3",
  ]);
});
