import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReplyEvent, TextModel, ToolDefinition } from "../types.js";
import type { GenerateOptions } from "./generate-options.js";
import { generateWithTools } from "./generate-with-tools.js";

const roll: ToolDefinition = {
  name: "roll",
  parameters: {
    type: "object",
    properties: { sides: { type: "integer" }, label: { type: "string" } },
    required: ["sides"],
  },
};
const call = (args: unknown, name = "roll") =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>\n`;

/** A model that writes these pieces; `read`: how many of them were asked for. */
function writing(pieces: readonly string[]) {
  const count = { read: 0 };
  const model: TextModel = async function* () {
    for (const piece of pieces) {
      count.read += 1;
      yield piece;
    }
  };
  return { model, count };
}

const turnOf = (model: TextModel, options: Partial<GenerateOptions> = {}) =>
  generateWithTools({
    model,
    messages: [{ role: "user", content: "Roll." }],
    tools: [roll],
    protocol: "hermes",
    ...options,
  });

async function eventsOf(turn: AsyncIterable<ReplyEvent>) {
  const events: ReplyEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

describe("a repeated call", () => {
  const six = call({ sides: 6 });

  it("is made twice, like two rolls of a die; the third ends the loop and the model", async () => {
    const { model, count } = writing([six, six, six, six, six]);
    const { toolCalls, repeatedCall } = await turnOf(model).result();
    expect(toolCalls.map((one) => one.arguments)).toEqual([{ sides: 6 }, { sides: 6 }]);
    expect(repeatedCall).toEqual({ name: "roll", arguments: { sides: 6 } });
    expect(count.read).toBe(3);
  });

  it("is made once if the reply is constrained to calls, because small models do not end there", async () => {
    const constrained = { toolChoice: "required", constraint: "required" } as const;
    const made = async (options: Partial<GenerateOptions>) =>
      (await turnOf(writing([six, six, six]).model, options).result()).toolCalls.length;
    expect(await made(constrained)).toBe(1);
    expect(await made({ ...constrained, maxIdenticalCalls: 2 })).toBe(2);
  });

  it("is made as often as the application allows", async () => {
    const made = async (maxIdenticalCalls: number) =>
      (await turnOf(writing(Array(9).fill(six)).model, { maxIdenticalCalls }).result()).toolCalls.length;
    expect(await made(1)).toBe(1);
    expect(await made(4)).toBe(4);
    expect(await made(Number.POSITIVE_INFINITY)).toBe(9);
  });

  it("is the same with its keys in another order, and with other calls between", async () => {
    const pieces = [
      call({ sides: 6, label: "a" }),
      call({ sides: 8 }),
      call({ label: "a", sides: 6 }),
      call({ sides: 9 }),
    ];
    const { toolCalls, repeatedCall } = await turnOf(writing(pieces).model, { maxIdenticalCalls: 1 }).result();
    expect(toolCalls.map((one) => one.arguments)).toEqual([{ sides: 6, label: "a" }, { sides: 8 }]);
    expect(repeatedCall).toEqual({ name: "roll", arguments: { sides: 6, label: "a" } });
  });

  it("is reported as dropped, with its arguments", async () => {
    const events = await eventsOf(turnOf(writing([six, six]).model, { maxIdenticalCalls: 1 }));
    expect(events.filter(({ type }) => type === "call-start")).toHaveLength(1);
    expect(events.at(-1)).toEqual({
      type: "dropped",
      text: '{"name":"roll","arguments":{"sides":6}}',
      reason: "a call that was made before",
    });
  });

  it("counts if it is invalid too", async () => {
    const wrong = call({ sides: "six" });
    const { invalidToolCalls, repeatedCall } = await turnOf(writing([wrong, wrong, wrong, wrong]).model).result();
    expect(invalidToolCalls).toHaveLength(2);
    expect(repeatedCall).toMatchObject({ name: "roll" });
  });

  it("does not count across replies: a retried model may repeat it", async () => {
    let asked = 0;
    const model: TextModel = async function* () {
      asked += 1;
      yield asked === 1 ? six + six + call({ sides: "x" }) : six + six;
    };
    const { toolCalls, repeatedCall, attempts } = await turnOf(model, { onInvalidCall: "retry" }).result();
    expect({ attempts, calls: toolCalls.length, repeatedCall }).toEqual({
      attempts: 2,
      calls: 2,
      repeatedCall: undefined,
    });
  });

  it("does not delay calls that stream: only a possible repeat waits for its end", async () => {
    const long = `<tool_call>\n{"name": "roll", "arguments": {"sides": 6, "label": "${"x".repeat(500)}`;
    const deltas = async (before: string, maxIdenticalCalls?: number) => {
      const pieces = [before, ...(long.match(/[\s\S]{1,20}/g) ?? []), '"}}\n</tool_call>'];
      const events = await eventsOf(turnOf(writing(pieces).model, { maxIdenticalCalls }));
      const last = events.findLastIndex(({ type }) => type === "call-start");
      return events.slice(last).filter(({ type }) => type === "call-delta").length;
    };
    expect(await deltas(six)).toBeGreaterThan(20);
    expect(await deltas(six + six)).toBeGreaterThan(20); // sent late, all at once, as they are
  });

  it("is dropped the same in any chunks", async () => {
    const calls = fc.array(fc.constantFrom(six, call({ sides: 8 }), call({ sides: "x" })), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        calls,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 3 }),
        async (parts, size, max) => {
          const text = parts.join("");
          const outcome = async (pieces: readonly string[]) => {
            const result = await turnOf(writing(pieces).model, { maxIdenticalCalls: max }).result();
            const { toolCalls, invalidToolCalls, repeatedCall } = result;
            const read = [...toolCalls, ...invalidToolCalls].map(({ name, arguments: args }) => ({ name, args }));
            return { read, repeatedCall };
          };
          const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
            text.slice(i * size, (i + 1) * size),
          );
          const whole = await outcome([text]);
          expect(await outcome(pieces)).toEqual(whole);
          const times = whole.read.map(
            (one) => whole.read.filter((other) => JSON.stringify(other) === JSON.stringify(one)).length,
          );
          expect(Math.max(0, ...times)).toBeLessThanOrEqual(max);
        },
      ),
      { numRuns: 60 },
    );
  });
});
