import { expect, test } from "vitest";
import { boundAnswers } from "./bounded.js";

const event = `data: ${"x".repeat(9_000_000)}`;
const answer = (...pieces: string[]) =>
  boundAnswers(
    async () =>
      new Response(ReadableStream.from(pieces).pipeThrough(new TextEncoderStream()), {
        headers: { "content-type": "text/event-stream" },
      }),
  )("http://127.0.0.1/mcp");

test.each([
  ["whole", [`${event}\n\n`, event]],
  ["split", [`${event}\n`, `\n${event}`]],
])("events are bounded one by one, where the blank line between them is %s", async (_, pieces) => {
  expect((await (await answer(...pieces)).text()).length).toBe(2 * event.length + 2);
});

test("an event that is too long ends the answer", async () => {
  await expect((await answer(`${event}\n`, event)).text()).rejects.toThrow("more than 16000000 bytes");
});
