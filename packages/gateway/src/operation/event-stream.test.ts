import { expect, it } from "vitest";
import { eventStream } from "./event-stream.js";

it("a source that fails after much text, without a reader, causes no unhandled error", async () => {
  let fail = (_: Error) => {};
  const failing = new Promise<never>((_, reject) => {
    fail = reject;
  });
  async function* events() {
    yield "x".repeat(20_000);
    await failing;
  }
  const ends: boolean[] = [];
  const response = await eventStream(
    { events: events(), fail: (error) => `failed: ${(error as Error).message}` },
    { unread: 60_000, keepAlive: 60_000, onEnd: (isComplete) => ends.push(isComplete) },
  );
  fail(new Error("gone"));
  // An unhandled rejection would be reported now.
  await new Promise((resolve) => setImmediate(resolve));
  expect((await response.text()).slice(20_000)).toBe("failed: gone");
  expect(ends).toEqual([true]);
});

it("a source that never waits is read as fast as its reader reads, and no faster", async () => {
  let given = 0;
  async function* events() {
    for (;;) {
      given += 1;
      yield "x".repeat(1000);
    }
  }
  const source = { events: events(), fail: () => undefined };
  const response = await eventStream(source, { unread: 60_000, keepAlive: 60_000, onEnd: () => {} });
  const reader = response.body!.getReader();
  await reader.read();
  await reader.read();
  expect(given).toBeLessThan(60);
  await reader.cancel();
});

it("ends once, whatever its source does after its reader left", async () => {
  let fail = (_: Error) => {};
  const failing = new Promise<never>((_, reject) => {
    fail = reject;
  });
  async function* events() {
    yield "first";
    await failing;
  }
  const ends: boolean[] = [];
  const response = await eventStream(
    { events: events(), fail: () => undefined },
    { unread: 60_000, keepAlive: 60_000, onEnd: (isComplete) => ends.push(isComplete) },
  );
  const reader = response.body!.getReader();
  await reader.read();
  const pending = reader.read();
  await reader.cancel();
  fail(new Error("gone"));
  await pending;
  await new Promise((resolve) => setImmediate(resolve));
  expect(ends).toEqual([false]);
});

it("does not drop a reader that waits for a slow source", async () => {
  let go = () => {};
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  async function* events() {
    yield "first";
    await gone;
    yield " last";
  }
  const ends: boolean[] = [];
  const response = await eventStream(
    { events: events(), fail: () => undefined },
    { unread: 5, keepAlive: 60_000, onEnd: (isComplete) => ends.push(isComplete) },
  );
  const text = response.text();
  // Longer than a reader may leave its stream unread.
  await new Promise((resolve) => setTimeout(resolve, 50));
  go();
  expect(await text).toBe("first last");
  expect(ends).toEqual([true]);
});
