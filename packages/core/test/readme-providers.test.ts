import { readFileSync } from "node:fs";
import { transformWithEsbuild } from "vite";
import { describe, expect, it } from "vitest";
import * as providers from "../src/providers/index.js";

// The README's examples of the provider formats, word for word: each logs what its comments say.

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].flatMap(([, code = ""]) =>
  code.includes("/providers") ? [code] : [],
);

describe("the README's examples of provider formats", () => {
  it.each(examples)("log what they say:\n%s", async (example) => {
    const { code } = await transformWithEsbuild(example.replace(/^import [^;]*;$/gm, ""), "example.ts", {
      format: "cjs",
    });
    const logged: unknown[][] = [];
    const scope = { ...providers, console: { log: (...all: unknown[]) => logged.push(all) } };
    new Function(...Object.keys(scope), code)(...Object.values(scope));
    const promised = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, said]) => said!);
    expect(promised.length).toBeGreaterThan(1);
    expect(logged.map((all) => all.map(written).join(" "))).toEqual(promised);
  });
});

/** As JavaScript is written: keys without quotes, a text by itself as it is. */
function written(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `[${value.map(inner).join(", ")}]`;
  return inner(value);
}

function inner(value: unknown): string {
  if (Array.isArray(value)) return written(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, part]) => `${key}: ${inner(part)}`)
    .join(", ")} }`;
}
