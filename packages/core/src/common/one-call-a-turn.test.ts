import fc from "fast-check";
import { expect, it } from "vitest";
import type { ChatMessage } from "../types.js";
import { callsOf, oneCallATurn } from "./one-call-a-turn.js";

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

const ids = fc.array(fc.constantFrom("x", "y", "z"), { minLength: 2, maxLength: 6 });
const exchange = fc
  .tuple(ids, fc.array(fc.constantFrom("x", "y", "z", "none"), { maxLength: 10 }))
  .map(([calls, results]) => [called(...calls), ...results.map((id, i) => result(id, `${i}`))]);
const idOf = (one?: ChatMessage) => (one?.role === "tool" ? one.toolCallId : undefined);

it("keeps all calls and results, and before the nth call of an id stand the first n - 1 of its results", () => {
  fc.assert(
    fc.property(exchange, (messages) => {
      const turns = oneCallATurn(messages);
      const calls = messages.flatMap(callsOf);
      expect(turns.map(callsOf).filter((one) => one.length > 0)).toEqual(calls.map((call) => [call]));
      for (const id of ["x", "y", "z", "none"]) {
        const resultsOf = (list: ChatMessage[]) => list.filter((one) => idOf(one) === id);
        expect(resultsOf(turns)).toEqual(resultsOf(messages));
        const begins = turns.flatMap((one, at) => (callsOf(one)[0]?.id === id ? [at] : []));
        for (const [nth, at] of begins.entries())
          expect(resultsOf(turns.slice(0, at))).toEqual(resultsOf(messages).slice(0, nth));
      }
      // A result follows its call or another result of it; those without a call are at the end.
      const firstLost = turns.findIndex((one) => one.role === "tool" && !calls.some(({ id }) => id === one.toolCallId));
      const end = firstLost < 0 ? turns.length : firstLost;
      expect(turns.slice(end).every((one) => idOf(one) !== undefined)).toBe(true);
      for (const [at, one] of turns.slice(0, end).entries()) {
        const before = turns[at - 1];
        if (one.role === "tool") expect([idOf(before), before && callsOf(before)[0]?.id]).toContain(one.toolCallId);
      }
    }),
  );
});

it("changes the messages between the calls of one turn and their results only", () => {
  const user: ChatMessage = { role: "user", content: "go on" };
  const single = [called("x"), result("y", "Y"), result("x", "X")];
  fc.assert(
    fc.property(exchange, exchange, (one, other) => {
      const [first, second] = [oneCallATurn(one), oneCallATurn(other)];
      expect(oneCallATurn([...one, ...other])).toEqual([...first, ...second]);
      expect(oneCallATurn([user, ...one, user, ...single, ...other, user])).toEqual([
        user,
        ...first,
        user,
        ...single,
        ...second,
        user,
      ]);
    }),
  );
});

it("takes any number of calls and results", () => {
  const many = Array.from({ length: 50_000 }, (_, i) => `${i}`);
  const results = many.map((id) => result(id, id)).reverse();
  expect(oneCallATurn([called(...many), ...results]).flatMap((one) => idOf(one) ?? [])).toEqual(many);
  const same = Array.from({ length: 200_000 }, (_, i) => result("x", `${i}`));
  expect(oneCallATurn([called("x", "y"), ...same])).toHaveLength(200_002);
});
