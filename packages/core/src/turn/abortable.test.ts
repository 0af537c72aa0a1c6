import { expect, test } from "vitest";
import { generateWithTools } from "../index.js";
import { abortable, iteratorOf } from "./abortable.js";

test("values are not read again after their end", async () => {
  const values = iteratorOf(abortable(["a"], new AbortController().signal));
  expect([await values.next(), await values.next(), await values.next()]).toEqual([
    { done: false, value: "a" },
    { done: true, value: undefined },
    { done: true, value: undefined },
  ]);
  const closed = iteratorOf(abortable(["a", "b"], new AbortController().signal));
  await closed.next();
  await closed.return?.();
  expect(await closed.next()).toEqual({ done: true, value: undefined });
});

test.each([undefined, new AbortController().signal])(
  "a model whose iterator returns no step is an error with a code (signal: %o)",
  async (signal) => {
    const next = async () => "Hello.";
    const model = () => ({ [Symbol.asyncIterator]: () => ({ next }) }) as never;
    const turn = generateWithTools({ model, messages: [{ role: "user", content: "Hi" }], signal });
    await expect(turn.result()).rejects.toMatchObject({
      code: "bad-option",
      message: `An iterator's next() must return { done, value }; that of \`model\` returned "Hello.".`,
    });
  },
);
