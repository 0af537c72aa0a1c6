import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turnOf } from "../adapters/index.js";
import { generateWithTools } from "../index.js";
import type { ReplyEvent, TextModel } from "../types.js";
import type { TurnResult } from "./turn-result.js";

const messages = [{ role: "user" as const, content: "Hello" }];
const PIECES = ["One. ", "Two. ", "Three."];
const model: TextModel = async function* () {
  yield* PIECES;
};
const failing: TextModel = async function* () {
  yield "One. ";
  throw new Error("broken");
};
const textOf = (events: readonly ReplyEvent[]) =>
  events.map((event) => (event.type === "text" ? event.text : "")).join("");
async function read(events: AsyncIterable<ReplyEvent>, into: ReplyEvent[] = []): Promise<ReplyEvent[]> {
  for await (const event of events) into.push(event);
  return into;
}
const later = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));
const turnRead = expect.objectContaining({ code: "turn-read", message: expect.stringContaining("then for result()") });

describe("result() of a turn", () => {
  it("has the methods of a promise, which ask the model as `await` does", async () => {
    const turn: Promise<TurnResult> = generateWithTools({ model, messages });
    let settled = 0;
    expect((await turn.finally(() => settled++)).text).toBe("One. Two. Three.");
    expect(await turn.catch(() => "never")).toBe(await turn);
    const broken = generateWithTools({ model: failing, messages });
    expect(await broken.catch((error: Error) => error.message)).toBe("broken");
    await expect(broken.finally(() => settled++)).rejects.toThrow("broken");
    expect(settled).toBe(2);
    expect(Object.prototype.toString.call(turn)).toBe("[object Turn]");
  });

  it("is what `await` gives", async () => {
    const turn = generateWithTools({ model, messages });
    const awaited = await turn;
    expect(awaited.text).toBe("One. Two. Three.");
    expect(await turn.result()).toBe(awaited);
    await expect(generateWithTools({ model: failing, messages })).rejects.toThrow("broken");
  });

  it("reads a turn whose events were asked for but not read, and keeps them", async () => {
    const turn = generateWithTools({ model, messages });
    const events = turn[Symbol.asyncIterator]();
    expect((await turn.result()).text).toBe("One. Two. Three.");
    expect(textOf(await read({ [Symbol.asyncIterator]: () => events }))).toBe("One. Two. Three.");
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it("reads a turn whose batches were asked for but not read, and keeps them as they arrived", async () => {
    const batches = turnOf({ model, messages });
    const expected: string[] = [];
    for await (const events of batches.batches()) expected.push(textOf(events));
    const turn = turnOf({ model, messages });
    const asked = turn.batches();
    await turn.result();
    const kept: string[] = [];
    for await (const events of asked) kept.push(textOf(events));
    expect(kept).toEqual(expected);
  });

  it("can be awaited inside the loop over the events, which then goes on", async () => {
    const turn = generateWithTools({ model, messages });
    const results = new Set<unknown>();
    const events: ReplyEvent[] = [];
    for await (const event of turn) {
      events.push(event);
      results.add(await turn.result());
    }
    expect(textOf(events)).toBe("One. Two. Three.");
    expect(results.size).toBe(1);
  });

  it("does not wait for a reader that stands still", async () => {
    const turn = generateWithTools({ model, messages });
    const events = turn[Symbol.asyncIterator]();
    const first = await events.next();
    expect((await turn.result()).text).toBe("One. Two. Three.");
    const rest = await read({ [Symbol.asyncIterator]: () => events });
    expect(textOf([first.value, ...rest])).toBe("One. Two. Three.");
  });

  it("and a reader at the same time ask the model once, and get all", async () => {
    let asked = 0;
    const counted: TextModel = (request) => {
      asked += 1;
      return model(request);
    };
    const turn = generateWithTools({ model: counted, messages });
    const [events, result, again] = await Promise.all([read(turn), turn.result(), turn.result()]);
    expect(textOf(events)).toBe(result.text);
    expect(again).toBe(result);
    expect(asked).toBe(1);
  });

  it("rejects with the error of the turn, which its reader gets after the events", async () => {
    const turn = generateWithTools({ model: failing, messages });
    const asked = turn[Symbol.asyncIterator]();
    await expect(turn.result()).rejects.toThrow("broken");
    const events: ReplyEvent[] = [];
    await expect(read({ [Symbol.asyncIterator]: () => asked }, events)).rejects.toThrow("broken");
    expect(textOf(events).trim()).toBe("One.");
    expect(await asked.next()).toEqual({ done: true, value: undefined });
  });

  it("leaves no unhandled error if the events that were asked for are never read", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    const turn = generateWithTools({ model: failing, messages });
    turn[Symbol.asyncIterator]();
    await expect(turn.result()).rejects.toThrow("broken");
    await later(5);
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  it("rejects if the reader stops before the end, and the model's stream is closed", async () => {
    let isClosed = false;
    const slow: TextModel = async function* () {
      try {
        for (const piece of PIECES) {
          yield piece;
          await later(2);
        }
        await later(60_000);
      } finally {
        isClosed = true;
      }
    };
    const turn = generateWithTools({ model: slow, messages });
    const batches = turn.batches()[Symbol.asyncIterator]();
    const result = turn.result();
    expect(textOf((await batches.next()).value ?? []).trim()).toBe("One.");
    await batches.return?.();
    await expect(result).rejects.toMatchObject({ code: "turn-stopped" });
    expect(isClosed).toBe(true);
    expect(await batches.next()).toEqual({ done: true, value: undefined });
  });

  it("stays the result if the reader leaves after it", async () => {
    const turn = generateWithTools({ model, messages });
    const batches = turn.batches()[Symbol.asyncIterator]();
    const result = await turn.result();
    await batches.next();
    await batches.return?.();
    expect(await batches.next()).toEqual({ done: true, value: undefined });
    expect(await turn.result()).toBe(result);
  });

  it("loses and repeats no event, wherever it is asked for and whatever is asked at the same time", async () => {
    const step = fc.constantFrom("next" as const, "await next" as const, "result" as const, "await result" as const);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const turn = turnOf({ model, messages });
        const batches = turn.batches()[Symbol.asyncIterator]();
        const asked: Promise<IteratorResult<ReplyEvent[]>>[] = [];
        for (const one of steps) {
          if (one.endsWith("next")) asked.push(batches.next());
          else if (one === "result") void turn.result();
          else await turn.result();
          if (one === "await next") await asked.at(-1);
        }
        const rest: ReplyEvent[] = [];
        for await (const events of { [Symbol.asyncIterator]: () => batches }) rest.push(...events);
        const before = (await Promise.all(asked)).flatMap(({ value }) => value ?? []);
        expect(textOf([...before, ...rest])).toBe("One. Two. Three.");
        expect((await turn.result()).text).toBe("One. Two. Three.");
      }),
    );
  });
});

describe("a reader that comes after result()", () => {
  it("is an error that says what is right", async () => {
    const turn = generateWithTools({ model, messages });
    const result = await turn.result();
    await expect(read(turn)).rejects.toThrow(turnRead);
    expect(() => turn.batches()).toThrow(turnRead);
    await expect(turn.whole(() => {})).rejects.toThrow(turnRead);
    expect(await turn.result()).toBe(result);
  });

  it("is the same error while the turn is read", async () => {
    const turn = generateWithTools({ model, messages });
    const result = turn.result();
    await expect(read(turn)).rejects.toThrow(turnRead);
    expect((await result).text).toBe("One. Two. Three.");
  });

  it("is the same error after whole(), and for whole() after a reader", async () => {
    const whole = turnOf({ model, messages });
    await whole.whole(() => {});
    await expect(read(whole)).rejects.toThrow(turnRead);
    await expect(whole.whole(() => {})).rejects.toThrow(turnRead);
    const streamed = turnOf({ model, messages });
    const events = read(streamed);
    await expect(streamed.whole(() => {})).rejects.toThrow(turnRead);
    expect(textOf(await events)).toBe("One. Two. Three.");
  });
});
