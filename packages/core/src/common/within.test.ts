import { expect, it } from "vitest";
import { within } from "./within.js";

it("resolves with the result, with the error, or with undefined after the time", async () => {
  expect(await within(1_000, Promise.resolve(1))).toBe(1);
  await expect(within(1_000, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await within(1, new Promise(() => {}))).toBeUndefined();
});
