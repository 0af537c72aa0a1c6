import type { TextModel } from "@toolingua/core";
import { expect, it } from "vitest";
import { UsageWatch } from "./usage-watch.js";

const request = { messages: [{ role: "user" as const, content: "Hello" }] };
async function read(model: TextModel): Promise<void> {
  for await (const _ of model(request));
}

it("does not count the tokens or the text of one request as those of the next", async () => {
  const counted: TextModel = async function* () {
    yield "x".repeat(4000);
    yield { usage: { inputTokens: 100, outputTokens: 1000 } };
  };
  const silent: TextModel = async function* () {
    yield "y";
  };
  const [watch, alone] = [new UsageWatch(), new UsageWatch()];
  await read(alone.over(silent));
  await read(watch.over(counted));
  await read(watch.over(silent));
  expect(watch.last).toEqual(alone.last);
  expect(watch.total.inputTokens).toBe(100 + alone.last.inputTokens);
});

it("counts a request that was not answered only in its estimate", async () => {
  const failing: TextModel = () => {
    throw new Error("down");
  };
  const watch = new UsageWatch();
  await expect(read(watch.over(failing))).rejects.toThrow("down");
  expect(watch.answered).toBeUndefined();
  expect(watch.last.inputTokens).toBeGreaterThan(0);
});
