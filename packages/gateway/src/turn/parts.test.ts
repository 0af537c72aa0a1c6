import type { InvalidToolCall, ReplyEvent, ToolCallErrorCode } from "@toolingua/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Parts, type Piece } from "./parts.js";

const text = (text: string): ReplyEvent => ({ type: "text", text });
const start: ReplyEvent = { type: "call-start", index: 0, id: "c1", name: "add" };
const args = (argumentsDelta: string): ReplyEvent => ({ type: "call-delta", index: 0, argumentsDelta });
const end: ReplyEvent = { type: "call-end", index: 0, call: { id: "c1", name: "add", arguments: {} } };
const invalid = (code: ToolCallErrorCode, call: Partial<InvalidToolCall> = {}): ReplyEvent => ({
  type: "call-invalid",
  index: 0,
  call: { id: "c1", raw: "<raw>", error: { code, message: "It is wrong.", feedback: "" }, ...call },
});
const partsOf = (events: ReplyEvent[], liveCalls = true, finish?: "stop" | "length") => {
  const parts = new Parts({ liveCalls, reasoning: true });
  for (const event of events) parts.on(event);
  parts.end(finish);
  return { list: parts.list.map(({ type, text }) => [type, text]), cut: parts.cut };
};

describe("the parts of a reply", () => {
  it("begin, grow and end one after the other, for any events", () => {
    const event = fc.oneof(
      fc.constantFrom(" ", "\n", "a", " b ").map(text),
      fc.constantFrom(" ", "t").map((thought): ReplyEvent => ({ type: "reasoning", text: thought })),
      fc.constant([start, args('{"a":'), args("1}"), end]),
      fc.constant([start, end]),
      fc.constant([start, args('{"a":"x"}'), invalid("invalid-arguments")]),
      fc.constant([start, args('{"a":'), invalid("truncated")]),
      fc.constantFrom<ToolCallErrorCode>("unknown-tool", "malformed", "truncated").map((code) => invalid(code)),
    );
    fc.assert(
      fc.property(fc.array(event), fc.boolean(), (events, liveCalls) => {
        const parts = new Parts({ liveCalls, reasoning: true });
        const pieces: Piece[] = [...events.flat().flatMap((one) => parts.on(one)), ...parts.end()];
        const open: number[] = [];
        const grown = new Map<number, string>();
        for (const piece of pieces) {
          const { index } = piece.part;
          if (piece.type === "open") expect(index).toBe(grown.size);
          if (piece.type === "open") grown.set(index, "");
          if (piece.type === "open") open.push(index);
          expect(open).toEqual([index]);
          if (piece.type === "delta") grown.set(index, grown.get(index) + piece.text);
          if (piece.type === "close") open.pop();
        }
        expect(open).toEqual([]);
        expect([...grown.values()]).toEqual(parts.list.map((part) => part.text));
        for (const part of parts.list) if (part.type !== "call") expect(part.text.trim()).not.toBe("");
      }),
    );
  });

  it("are never white space only, and `{}` for a call without arguments", () => {
    expect(partsOf([text("\n"), text("a "), text("b"), text("\n"), start, end, text("\n\n")]).list).toEqual([
      ["text", "\na b\n"],
      ["call", "{}"],
    ]);
  });

  it("are an invalid call as it was written, if it can be read, and otherwise its text", () => {
    expect(partsOf([invalid("unknown-tool", { name: "x", arguments: { a: 1 } })]).list).toEqual([["call", '{"a":1}']]);
    expect(partsOf([invalid("malformed", { name: "x", arguments: { a: 1 } })]).list).toEqual([["text", "<raw>"]]);
    expect(partsOf([invalid("invalid-arguments", { name: "x", arguments: [1] })]).list).toEqual([["text", "<raw>"]]);
    const whole = [start, args('{"a":'), invalid("malformed")];
    expect(partsOf(whole, false).list).toEqual([["text", "<raw>"]]);
  });

  it("are truncated with the reply, and a partial call is never made whole", () => {
    const half = [start, args('{"a":'), invalid("truncated")];
    expect(partsOf(half)).toEqual({ list: [["call", '{"a":']], cut: true });
    expect(partsOf(half, false)).toEqual({ list: [], cut: true });
    expect(partsOf(half, false, "length")).toEqual({ list: [], cut: true });
  });

  it("are text or a failure if the model stopped by itself within a call", () => {
    const half = [start, args('{"a":'), invalid("truncated")];
    expect(partsOf(half, false, "stop")).toEqual({ list: [["text", "<raw>"]], cut: false });
    expect(() => partsOf(half, true, "stop")).toThrow(/cannot be read/);
  });

  it("fail if a call that was already sent turns out to be invalid", () => {
    expect(() => partsOf([start, args('{"a":1}'), invalid("malformed")])).toThrow(/cannot be read/);
    expect(() => partsOf([start, args('{"a":'), invalid("invalid-arguments")])).toThrow(/cannot be read/);
    expect(partsOf([start, args('{"a":"x"}'), invalid("invalid-arguments")]).list).toEqual([["call", '{"a":"x"}']]);
  });
});
