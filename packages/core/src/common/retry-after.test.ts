import { expect, it } from "vitest";
import { retryAfterMs } from "./retry-after.js";

it.each([
  [{ "retry-after": "2" }, 2_000],
  [{ "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }, 60_000],
  [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
  [{ "retry-after": "2", "retry-after-ms": "1500" }, 1_500],
  [{ "retry-after": "-5" }, undefined],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": " " }, undefined],
  [{}, undefined],
])("retryAfterMs of %j is %s", (headers: Record<string, string>, ms) => {
  expect(retryAfterMs((name) => headers[name], Date.parse("2026-01-01T00:00:00Z"))).toBe(ms);
});
