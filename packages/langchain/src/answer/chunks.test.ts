import { convertChunksToEvents } from "@langchain/core/language_models/compat";
import { ChatModelStream } from "@langchain/core/language_models/stream";
import type { AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { concat } from "@langchain/core/utils/stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnswerEvent } from "./answer.js";
import { ChunkWriter } from "./chunks.js";

const string8 = { blocks: false, wholeCalls: false };
const forms = [string8, { blocks: true, wholeCalls: false }, { blocks: true, wholeCalls: true }];
const ending = {
  usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  metadata: { model_name: "m" },
  made: [],
};

const callEvents = (index: number, args: Record<string, unknown>, piece: number): AnswerEvent[] => {
  const json = JSON.stringify(args);
  const deltas = Array.from({ length: Math.ceil(json.length / piece) }, (_, i) =>
    json.slice(i * piece, (i + 1) * piece),
  );
  return [
    { type: "call-start", index, id: `id${index}`, name: `tool${index}` },
    ...deltas.map((argumentsDelta): AnswerEvent => ({ type: "call-delta", index, argumentsDelta })),
    { type: "call-end", index, call: { id: `id${index}`, name: `tool${index}`, arguments: args } },
  ];
};

const broken = (index: number, raw: string): AnswerEvent => ({
  type: "call-invalid",
  index,
  call: {
    id: `id${index}`,
    name: `tool${index}`,
    raw,
    error: { code: "truncated", message: "Cut off.", feedback: "" },
  },
});

const write = (events: AnswerEvent[], form = string8) => {
  const writer = new ChunkWriter(form);
  return [...events.flatMap((event) => writer.write(event)), writer.end(ending)].map(
    ({ message }) => message as AIMessageChunk,
  );
};

const joined = (chunks: AIMessageChunk[]) => chunks.reduce((sum, chunk) => concat(sum, chunk));

function bridged(chunks: AIMessageChunk[]) {
  async function* generations() {
    for (const message of chunks) yield new ChatGenerationChunk({ message, text: message.text });
  }
  return new ChatModelStream(convertChunksToEvents(generations()));
}

const calls = (message: { tool_calls?: { name: string; args: unknown; id?: string }[] | undefined }) =>
  (message.tool_calls ?? []).map(({ id, name, args }) => ({ id, name, args }));

const argumentsOf = fc.dictionary(
  fc.oneof(fc.string({ maxLength: 4 }), fc.constant("__proto__")),
  fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('}"', "}", "\\", "\\x", "{}", " } ", "\\u0041")),
  { maxKeys: 4 },
);

describe("ChunkWriter", () => {
  it("streams calls whose fragments add up to the call, for every consumer and form", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(argumentsOf, { maxLength: 3 }), fc.integer({ min: 1, max: 5 }), async (all, piece) => {
        const events = [
          { type: "text", text: "Hi " } as const,
          ...all.flatMap((args, i) => callEvents(i, args, piece)),
        ];
        const expected = all.map((args, i) => ({
          id: `id${i}`,
          name: `tool${i}`,
          args: JSON.parse(JSON.stringify(args)),
        }));
        for (const form of forms) {
          const message = joined(write(events, form));
          expect(calls(message)).toEqual(expected);
          expect(message.invalid_tool_calls).toEqual([]);
          expect(message.text).toBe("Hi ");
          const streamed = await bridged(write(events, form)).output;
          expect(calls(streamed)).toEqual(expected);
          expect(streamed.text).toBe("Hi ");
        }
      }),
      { numRuns: 60 },
    );
  });

  it("never emits a valid call for a call that is truncated anywhere", async () => {
    await fc.assert(
      fc.asyncProperty(argumentsOf, fc.integer({ min: 1, max: 7 }), fc.boolean(), async (args, piece, text) => {
        const whole = callEvents(0, args, piece).slice(0, -1);
        const before: AnswerEvent[] = text ? [{ type: "text", text: "Hi" }] : [];
        for (let cut = 1; cut <= Math.min(whole.length, 60); cut++) {
          const events = [...before, ...whole.slice(0, cut), broken(0, JSON.stringify(args).slice(0, cut))];
          for (const form of forms) {
            const chunks = write(events, form);
            expect(joined(chunks).tool_calls).toEqual([]);
            const stream = bridged(chunks);
            expect(await stream.toolCalls).toEqual([]);
            expect((await stream.output).tool_calls).toEqual([]);
          }
        }
      }),
      { numRuns: 6 },
    );
  });

  it("never emits a valid call for a broken one that was not begun, whatever the model wrote", async () => {
    const raws = ['{"a":1}', '{"a":1', '"text"', "<tool_call>{}", "", "[]", "null", " "];
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constantFrom(...raws), fc.string(), fc.json()), async (raw) => {
        for (const form of forms) {
          const chunks = write([broken(0, raw)], form);
          expect(joined(chunks)).toMatchObject({ tool_calls: [], invalid_tool_calls: [{ id: "id0", name: "tool0" }] });
          expect((await bridged(chunks).output).tool_calls).toEqual([]);
        }
      }),
    );
  });

  it("does not let a broken call affect its neighbours", () => {
    const events = [
      ...callEvents(0, { a: 1 }, 2),
      ...callEvents(1, { b: 2 }, 2).slice(0, 3),
      broken(1, "{"),
      ...callEvents(2, {}, 9),
    ];
    for (const form of forms) {
      const message = joined(write(events, form));
      expect(calls(message)).toEqual([
        { id: "id0", name: "tool0", args: { a: 1 } },
        { id: "id2", name: "tool2", args: {} },
      ]);
      expect(message.invalid_tool_calls).toMatchObject([{ id: "id1", name: "tool1" }]);
    }
  });

  it("sends the id and the name first, one fragment of one call in a chunk, from index 1", () => {
    const chunks = write(callEvents(0, { city: "Oslo" }, 5));
    expect(chunks.flatMap((chunk) => (chunk.tool_call_chunks ?? []).map(({ type: _, ...piece }) => piece))).toEqual([
      { index: 1, id: "id0", name: "tool0", args: "" },
      { index: 1, args: '{"cit' },
      { index: 1, args: 'y":"O' },
      { index: 1, args: 'slo"' },
      { index: 1, args: "}" },
    ]);
    for (const chunk of chunks) expect(chunk.tool_call_chunks?.length ?? 0).toBeLessThanOrEqual(1);
  });

  it("carries usage and metadata once", () => {
    for (const form of forms) {
      const message = joined(write([{ type: "text", text: "Hi" }], form));
      expect(message).toMatchObject({ usage_metadata: ending.usage, response_metadata: ending.metadata });
    }
  });

  it("shows reasoning where each form has a place for it", async () => {
    const events: AnswerEvent[] = [
      { type: "reasoning", text: "2+" },
      { type: "reasoning", text: "2" },
      { type: "text", text: "fo" },
      { type: "text", text: "ur" },
    ];
    expect(joined(write(events))).toMatchObject({ content: "four", additional_kwargs: { reasoning_content: "2+2" } });
    const blocks = { blocks: true, wholeCalls: true };
    expect(joined(write(events, blocks)).content).toEqual([
      { type: "reasoning", reasoning: "2+2", index: 0 },
      { type: "text", text: "four", index: 1 },
    ]);
    const stream = bridged(write(events, blocks));
    expect(await stream.reasoning).toBe("2+2");
    expect(await stream.text).toBe("four");
  });
});
