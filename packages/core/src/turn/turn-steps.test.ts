import { expect, it } from "vitest";
import { turnOf } from "../adapters/index.js";
import type { ReplyEvent, TextModel } from "../types.js";

const messages = [{ role: "user" as const, content: "Hello" }];
const model: TextModel = async function* () {
  yield "One. ";
  yield "Two. ";
  yield "Three.";
};
const textOf = (events: readonly ReplyEvent[]) =>
  events.map((event) => (event.type === "text" ? event.text : "")).join("");

it("a whole turn gives the batches of the streamed one, as they arrive, and its result", async () => {
  const streamed: string[] = [];
  for await (const events of turnOf({ model, messages }).batches()) streamed.push(textOf(events));
  const whole: string[] = [];
  const turn = turnOf({ model, messages });
  const result = await turn.whole((events) => whole.push(textOf(events)));
  expect(whole).toEqual(streamed);
  expect(whole.join("")).toBe(result.text);
  expect(await turn.result()).toBe(result);
});

it("steps that are asked for at the same time follow one another", async () => {
  const batches = turnOf({ model, messages }).batches()[Symbol.asyncIterator]();
  const steps = await Promise.all(Array.from({ length: 6 }, () => batches.next()));
  expect(steps.map(({ value }) => textOf(value ?? [])).join("")).toBe("One. Two. Three.");
  expect(steps.at(-1)?.done).toBe(true);
});

it("a turn that is left while a step is waited for ends after the step, and closes the model's stream", async () => {
  let isClosed = false;
  const slow: TextModel = async function* () {
    try {
      await new Promise((resolve) => setTimeout(resolve, 10));
      yield "One. ";
      yield "Two. ";
    } finally {
      isClosed = true;
    }
  };
  const turn = turnOf({ model: slow, messages });
  const batches = turn.batches()[Symbol.asyncIterator]();
  const first = batches.next();
  await batches.return?.();
  expect(textOf((await first).value ?? [])).toBe("One.");
  expect(isClosed).toBe(true);
  expect(await batches.next()).toEqual({ done: true, value: undefined });
  await expect(turn.result()).rejects.toMatchObject({ code: "turn-stopped" });
});

it("events before an error come first, whole or streamed", async () => {
  const wrong: TextModel = async function* () {
    yield 'Look. <tool_call>{"name": "nothing", "arguments": {}}</tool_call>';
  };
  const options = {
    model: wrong,
    messages,
    tools: [{ name: "now" }],
    protocol: "hermes",
    onInvalidCall: "throw",
  } as const;
  const read: string[] = [];
  await expect(turnOf(options).whole((events) => read.push(textOf(events)))).rejects.toThrow("nothing");
  const streamed: string[] = [];
  const stream = async () => {
    for await (const events of turnOf(options).batches()) streamed.push(textOf(events));
  };
  await expect(stream()).rejects.toThrow("nothing");
  expect([read.join("").trim(), streamed.join("").trim()]).toEqual(["Look.", "Look."]);
});

it("an error of the reader ends the turn and the model's stream", async () => {
  let isClosed = false;
  const closing: TextModel = async function* () {
    try {
      yield* ["One. ", "Two. "];
    } finally {
      isClosed = true;
    }
  };
  const turn = turnOf({ model: closing, messages });
  const leave = () => {
    throw new Error("enough");
  };
  await expect(turn.whole(leave)).rejects.toThrow("enough");
  expect(isClosed).toBe(true);
  await expect(turn.result()).rejects.toThrow("enough");
});
