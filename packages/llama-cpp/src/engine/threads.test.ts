import { describe, expect, it } from "vitest";
import { chooseThreads, ThreadGovernor, threadsForReading, usableCores } from "./threads.js";

describe("chooseThreads", () => {
  it("uses all cores for the prompt and half of them for the reply", () => {
    expect(chooseThreads(undefined, 2)).toMatchObject({ prefill: 2, decode: 1 });
    expect(chooseThreads(undefined, 1)).toMatchObject({ prefill: 1, decode: 1 });
    expect(chooseThreads(undefined, 16)).toMatchObject({ prefill: 16, decode: 8 });
  });

  it("uses given numbers", () => {
    expect(chooseThreads(3, 8)).toMatchObject({ prefill: 3, decode: 3 });
    expect(chooseThreads({ decode: 2 }, 8)).toMatchObject({ prefill: 8, decode: 2 });
    expect(() => chooseThreads({ prefill: 1.5 }, 8)).toThrow("`threads` is a whole number from 1, not 1.5.");
  });

  it("uses fewer threads for the prompt on a busy machine, unless a number is given", () => {
    const own = chooseThreads({ decode: 1 }, 4);
    expect([8, 3, 0, -6].map((idle) => threadsForReading(own, idle))).toEqual([4, 3, 1, 1]);
    expect(threadsForReading(chooseThreads(4, 4), 0)).toBe(4);
  });

  it("finds at least one core", () => {
    expect(usableCores()).toBeGreaterThanOrEqual(1);
  });
});

describe("ThreadGovernor", () => {
  const context = {};
  const [a, b] = [{}, {}];

  it("limits threads to the largest demand of a context's calls, which run together", () => {
    const llama = { maxThreads: 0 };
    const governor = new ThreadGovernor(llama);
    governor.demand(a, context, 4);
    governor.demand(b, context, 1);
    expect(llama.maxThreads).toBe(4);
    governor.demand(a, context, 2);
    expect(llama.maxThreads).toBe(2);
    governor.release(a);
    expect(llama.maxThreads).toBe(1);
    governor.release(b);
    expect(llama.maxThreads).toBe(1);
  });

  it("lets contexts run side by side", () => {
    const llama = { maxThreads: 0 };
    const governor = new ThreadGovernor(llama);
    governor.demand(a, context, 1);
    governor.demand(b, {}, 2);
    expect(llama.maxThreads).toBe(3);
    governor.release(b);
    expect(llama.maxThreads).toBe(1);
  });
});
