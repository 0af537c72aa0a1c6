import { describe, expect, it } from "vitest";
import { allowanceHeaders, Limiter, TokenBucket } from "./limiter.js";

describe("a bucket of requests", () => {
  it("allows a burst up to its size, and then requests as it fills up", () => {
    const bucket = new TokenBucket(60, 0);
    for (let i = 0; i < 60; i++) expect(bucket.take(0)).toMatchObject({ waitMs: 0, allowance: { remaining: 59 - i } });
    expect(bucket.take(0).waitMs).toBeCloseTo(1000);
    expect(bucket.take(500).waitMs).toBeCloseTo(500);
    expect(bucket.take(1000)).toMatchObject({ waitMs: 0, allowance: { limit: 60, remaining: 0 } });
    expect(bucket.take(1001).waitMs).toBeGreaterThan(900);
    expect(bucket.take(1e9)).toMatchObject({ waitMs: 0, allowance: { remaining: 59, resetMs: 1000 } });
  });
});

describe("a limiter", () => {
  it("counts separately per holder, and by the key's own rate before the common one", () => {
    const limiter = new Limiter();
    const begin = (name: string, rate?: number) => limiter.begin({ name, ...(rate && { rate }) }, { rate: 1 }, 0);
    begin("a");
    expect(() => begin("a")).toThrow(expect.objectContaining({ kind: "rate-limit", retryAfterMs: 60_000 }));
    begin("b", 2);
    begin("b", 2);
    expect(() => begin("b", 2)).toThrow(/At most 2 requests a minute/);
    expect(limiter.begin({ name: "c" }, {}, 0).allowance).toBeUndefined();
  });

  it("applies a rate that a reload has changed from the next request on", () => {
    const limiter = new Limiter();
    const begin = (rate: number, now: number) => limiter.begin({}, { rate }, now).allowance;
    expect(begin(1, 0)).toMatchObject({ limit: 1, remaining: 0 });
    expect(begin(3, 0)).toMatchObject({ limit: 3, remaining: 2 });
    expect(begin(3, 0)).toMatchObject({ limit: 3, remaining: 1 });
    expect(begin(1, 0)).toMatchObject({ limit: 1, remaining: 0 });
    expect(() => begin(1, 0)).toThrow(/At most 1 requests a minute/);
  });

  it("lets the next request in after one has ended", () => {
    const limiter = new Limiter();
    const begin = () => limiter.begin({}, { concurrency: 1 }, 0);
    const { end } = begin();
    expect(begin).toThrow(expect.objectContaining({ code: "concurrency_limit_exceeded" }));
    end();
    begin().end();
  });
});

it("an allowance is reported in the headers of OpenAI and Anthropic", () => {
  expect(allowanceHeaders({ limit: 60, remaining: 5, resetMs: 1500 }, new Date(0))).toEqual({
    "x-ratelimit-limit-requests": "60",
    "x-ratelimit-remaining-requests": "5",
    "x-ratelimit-reset-requests": "1.500s",
    "anthropic-ratelimit-requests-limit": "60",
    "anthropic-ratelimit-requests-remaining": "5",
    "anthropic-ratelimit-requests-reset": "1970-01-01T00:00:01.500Z",
  });
});
