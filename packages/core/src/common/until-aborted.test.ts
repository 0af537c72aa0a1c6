import { expect, test } from "vitest";
import { untilAborted } from "../adapters/index.js";

test("returns what the work returns, with and without a signal", async () => {
  expect(await untilAborted(() => Promise.resolve(1), undefined)).toBe(1);
  expect(await untilAborted(() => 2, new AbortController().signal)).toBe(2);
  await expect(untilAborted(() => Promise.reject(new Error("broken")), new AbortController().signal)).rejects.toThrow(
    "broken",
  );
});

test("reports an abort at once, whatever the work does", async () => {
  const never = new Promise(() => {});
  const control = new AbortController();
  const waited = untilAborted(() => never, control.signal);
  control.abort("enough");
  await expect(waited).rejects.toBe("enough");
  await expect(untilAborted(() => never, AbortSignal.abort("before"))).rejects.toBe("before");
});

test("begins no work after an abort", async () => {
  let begun = false;
  const begin = () => {
    begun = true;
  };
  await expect(untilAborted(begin, AbortSignal.abort("before"))).rejects.toBe("before");
  expect(begun).toBe(false);
});

test("ignores work that fails after the abort", async () => {
  const heard: unknown[] = [];
  const onRejection = (reason: unknown) => heard.push(reason);
  process.on("unhandledRejection", onRejection);
  let fail: (error: Error) => void = () => {};
  const work = new Promise((_, reject) => {
    fail = reject;
  });
  const control = new AbortController();
  const waited = untilAborted(() => work, control.signal);
  control.abort("enough");
  await expect(waited).rejects.toBe("enough");
  fail(new Error("too late"));
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", onRejection);
  expect(heard).toEqual([]);
});
