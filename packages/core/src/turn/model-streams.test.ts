import { describe, expect, it, vi } from "vitest";
import { ToolConversation } from "../conversation/index.js";
import type { TextModel } from "../types.js";
import { generateWithTools } from "./generate-with-tools.js";

const messages = [{ role: "user" as const, content: "Hello" }];

/** A model that returns this. Models of plain JavaScript return what the type forbids, which is tested here. */
const giving = (returned: () => unknown): TextModel => vi.fn().mockImplementation(returned);
/** A model whose reply is this iterator, however it is made. */
const modelOf = (iterator: object) => giving(() => ({ [Symbol.asyncIterator]: () => iterator }));
const silent = () => new Promise<never>(() => {});

describe("an abort ends a run whose model", () => {
  it.each<[string, () => unknown]>([
    ["closes without a promise", () => ({ done: true })],
    ["closes with nothing", () => undefined],
    [
      "throws while it closes",
      () => {
        throw new Error("It cannot be closed.");
      },
    ],
  ])("%s", async (_name, close) => {
    const model = modelOf({ next: silent, return: close });
    const signal = AbortSignal.timeout(20);
    expect((await new ToolConversation({ model }).run("Hello", { signal }).result()).stopReason).toBe("aborted");
    const limited = new ToolConversation({ model, budget: { seconds: 0.02, onExhausted: "stop" } });
    expect((await limited.run("Hello").result()).stopReason).toBe("budget");
  });
});

describe.each([
  ["without a signal", undefined],
  ["with a signal", new AbortController().signal],
])("a model, %s,", (_name, signal) => {
  const textOf = async (model: TextModel) =>
    (await generateWithTools({ model, messages, ...(signal && { signal }) }).result()).text;

  it("may give its steps without promises, as a list or as a plain generator", async () => {
    const steps = [{ done: false, value: "Hi" }, { done: true }];
    expect(await textOf(modelOf({ next: () => steps.shift() }))).toBe("Hi");
    expect(await textOf(giving(() => ["H", "i"]))).toBe("Hi");
    expect(
      await textOf(
        giving(function* () {
          yield "Hi";
        }),
      ),
    ).toBe("Hi");
  });

  it.each([
    ["a string", giving(() => "Hi"), /stream of text.*not "Hi"/],
    ["chunks with another name", giving(() => [{ text: "Hi" }]), /"text" in a chunk.*a string/],
    ["numbers", giving(() => [5]), /A chunk.*not 5/],
    ["null", giving(() => [null]), /A chunk.*not null/],
    [
      "a finish of its server",
      giving(() => ["Hi", { finish: "tool_calls" }]),
      /"stop".*not "tool_calls".*readFinishReason/,
    ],
    ["a number as finish", giving(() => [{ finish: 1 }]), /`finish`.*not 1/],
    ["reasoning that is no text", giving(() => [{ reasoning: 5 }]), /`reasoning`.*a string, not 5/],
    ["lists", giving(() => [["Hi"]]), /A chunk.*not a list/],
  ])("that gives %s is refused with the correct form", async (_what, model, message) => {
    const refused = expect.objectContaining({
      name: "OptionsError",
      code: "bad-option",
      message: expect.stringMatching(message),
    });
    await expect(textOf(model)).rejects.toEqual(refused);
    const conversation = new ToolConversation({ model, budget: { tokens: 1000 } });
    expect(await conversation.run("Hello", { signal }).result()).toMatchObject({ stopReason: "error", error: refused });
  });

  it("whose iterator gives no step fails with a clear error", async () => {
    await expect(textOf(modelOf({ next: () => undefined }))).rejects.toThrow(/next\(\) must return|Iterator result/);
  });
});
