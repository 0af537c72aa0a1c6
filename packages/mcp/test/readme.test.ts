import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { transformWithEsbuild } from "vite";
import { describe, expect, it } from "vitest";
import * as mcp from "../src/index.js";

// The examples of the README: each logs what its comment says. Only npx is spared, which would ask the registry.

const folder = fileURLToPath(new URL("..", import.meta.url));
const filesystem = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].flatMap(([, code = ""]) =>
  code.includes("console.log") ? [code] : [],
);

describe("the README's example", () => {
  it.each(examples)("runs:\n%s", async (example) => {
    const expected = /console\.log\(.*\); \/\/ (.*)/.exec(example)?.[1];
    const body = example
      .replace(/^import .*$/gm, "")
      .replace('command: "npx"', "command: process.execPath")
      .replace(
        '"-y", "@modelcontextprotocol/server-filesystem", "."',
        JSON.stringify([filesystem, folder]).slice(1, -1),
      );
    const { code } = await transformWithEsbuild(`export async function run() {${body}}`, "example.ts", {
      target: "es2022",
      format: "cjs",
    });
    const module = { exports: {} as { run(): Promise<void> } };
    const logged: unknown[] = [];
    const console = { log: (...all: unknown[]) => logged.push(...all) };
    const scope = { ...mcp, createServer, module, exports: module.exports, console };
    new Function(...Object.keys(scope), code)(...Object.values(scope));
    await module.exports.run();
    const words = logged.map((one) => (typeof one === "string" ? one.trim() : inspect(one)));
    expect(words.join(" ")).toBe(expected);
  });

  it("is there for both directions", () => {
    expect(examples).toHaveLength(2);
  });
});
