import { expect, test } from "vitest";
import { generateWithTools } from "../index.js";

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
