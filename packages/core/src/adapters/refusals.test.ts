import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { refusalsOf } from "./refusals.js";

beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

test("a model that refused tools refuses every request, and the refusal is logged once", () => {
  const model = {};
  expect(refusalsOf(model).refuses(true)).toBe(false);
  for (const _ of [1, 2]) {
    expect(refusalsOf(model).rememberError(new Error("gemma3 does not support tools"), "gemma3")).toBe(true);
  }
  expect([true, false].map((isForced) => refusalsOf(model).refuses(isForced))).toEqual([true, true]);
  expect(refusalsOf({}).refuses(true)).toBe(false);
  expect(vi.mocked(console.warn).mock.calls).toEqual([
    [expect.stringMatching(/gemma3 takes no tools; .* does not support tools$/)],
  ]);
});

test("a model that refused a tool choice refuses only required calls", () => {
  const model = {};
  refusalsOf(model).remember("choice", "not supported");
  expect([true, false].map((isForced) => refusalsOf(model).refuses(isForced))).toEqual([true, false]);
  expect(console.warn).toHaveBeenCalledWith(expect.stringContaining("The model takes no tool choice"));
});

test("another error is not remembered", () => {
  expect(refusalsOf({}).rememberError(new Error("invalid api key"), "m")).toBe(false);
  expect(console.warn).not.toHaveBeenCalled();
});
