import { expect, onTestFinished, test, vi } from "vitest";
import { send } from "./exchange.js";

test("a request that was aborted before it begins is not sent, and leaves no timer", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const signal = AbortSignal.abort(new Error("stopped"));
  const sent = { method: "GET", url: "http://127.0.0.1:1", headers: {} } as const;
  await expect(send(sent, { timeout: 1000, signal })).rejects.toThrow("stopped");
  expect(vi.getTimerCount()).toBe(0);
});
