import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { limits } from "./limits.mjs";
import { measureSizes } from "./sizes.mjs";

// The bundles are made of the built packages: build first.

describe("a bundle", async () => {
  const ours = limits.filter(({ limit }) => limit !== undefined);
  const sizes = await measureSizes(ours);

  test.each(sizes)("of $entry has at most $limit KB", ({ size, limit }) => {
    expect(size / 1000).toBeLessThanOrEqual(limit ?? 0);
  });

  test("of one protocol is smaller than that of all", () => {
    const size = (name: string) => sizes.find(({ entry }) => entry === name)?.size ?? Number.NaN;
    expect(size("hermes")).toBeLessThan(0.6 * size("main"));
    expect(size("qwen3-coder")).toBeLessThan(0.6 * size("main"));
  });

  test("has the limit that docs/replies.md states", () => {
    const page = readFileSync(new URL("../../docs/replies.md", import.meta.url), "utf8");
    const stated = [...page.matchAll(/^\|.*\| (\d+) KB +\|$/gm)].map(([, limit]) => Number(limit));
    const limitOf = (name: string) => limits.find(({ entry }) => entry === name)?.limit;
    expect(stated).toEqual(["hermes", "qwen3-coder", "main"].map(limitOf));
  });
});
