import { expect, onTestFinished, test, vi } from "vitest";
import { whileLoading } from "./while-loading.js";

const never = () => expect.fail();

test("after it is loaded a module can end the process, also with what it kept, and keeps its own way to", async () => {
  const { exit } = process;
  const ended = vi.fn() as unknown as typeof exit;
  process.exit = ended;
  onTestFinished(() => {
    process.exit = exit;
  });
  const kept = await whileLoading(async () => process.exit, never);
  expect(process.exit).toBe(ended);
  expect(() => kept(3)).not.toThrow();
  expect(ended).toHaveBeenCalledWith(3);
  kept();
  expect(ended).toHaveBeenLastCalledWith();

  const own = vi.fn() as unknown as typeof exit;
  await whileLoading(async () => {
    process.exit = own;
  }, never);
  expect(process.exit).toBe(own);
});

test("an attempt to end the process is an error, also if the module catches it", async () => {
  const loading = whileLoading(async () => {
    try {
      process.exit(3);
    } catch {}
  }, never);
  await expect(loading).rejects.toThrow("it calls process.exit(3) while it loads");
  await new Promise(setImmediate);
});
