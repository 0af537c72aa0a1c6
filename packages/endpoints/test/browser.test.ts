import { fileURLToPath } from "node:url";
import { build } from "vite";
import { describe, expect, test } from "vitest";
import * as browser from "../src/browser.js";
import * as node from "../src/index.js";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

describe("a browser", () => {
  test("has the same exports as Node.js", () => {
    expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort());
  });

  test("needs nothing of Node.js", async () => {
    const left: string[] = [];
    const output = await build({
      configFile: false,
      logLevel: "silent",
      root: file(".."),
      resolve: {
        alias: {
          "@toolingua/core/adapters": file("../../core/src/adapters/index.ts"),
          "@toolingua/core/grammar": file("../../core/src/grammar/index.ts"),
          "@toolingua/core": file("../../core/src/index.ts"),
        },
      },
      build: {
        write: false,
        minify: false,
        lib: { entry: file("../src/browser.ts"), formats: ["es"] },
        rollupOptions: { onLog: (_, { message }) => void left.push(message) },
      },
    });
    const code = [output].flat().flatMap((one) => ("output" in one ? one.output : []));
    const text = code.map((chunk) => ("code" in chunk ? chunk.code : "")).join("\n");
    expect(text).toContain("chat/completions");
    expect(text.match(/^import .*|["']node:\w+["']|__vite-browser-external/gm)).toBeNull();
    expect(left.filter((message) => /externaliz/.test(message))).toEqual([]);
  });
});
