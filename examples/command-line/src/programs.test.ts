import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

// The built programs of the examples.

const examples = fileURLToPath(new URL("../..", import.meta.url));
const programs = readdirSync(examples).filter((name) => existsSync(join(examples, name, "src", "main.ts")));

async function started(name: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(examples, name, "dist", "main.js"), ...args], {
    env: { ...process.env, ...env },
  });
  const output = { out: "", err: "" };
  child.stdout.on("data", (text) => {
    output.out += text;
  });
  child.stderr.on("data", (text) => {
    output.err += text;
  });
  const [code] = await once(child, "close");
  return { code, ...output };
}

describe.each(programs)("the example %s", { timeout: 60_000 }, (name) => {
  test("prints its options with --help", async () => {
    const { code, out, err } = await started(name, ["--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^Usage: npm (?:run start:\S+|start) -- [\s\S]*\n {2}-h, --help /);
  });

  test("says in a sentence that an option is wrong", async () => {
    const { code, out, err } = await started(name, ["--nope"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^error: unknown option '--nope'\n\n?--help lists the options\.\n$/);
  });
});

describe("a program that cannot do its work", { timeout: 60_000 }, () => {
  test.each([
    ["conversation", ["--base-url", "http://127.0.0.1:9/v1", "--model", "x"], {}, /Cannot reach http:\/\/127/],
    ["conversation", ["--model", "./nope.gguf"], {}, /^The model "\.\/nope\.gguf" was not found\. /],
    ["ai-sdk", ["--model", "./nope.gguf"], {}, /^The model "\.\/nope\.gguf" was not found\. /],
    ["mcp-files", ["--model", "./nope.gguf"], {}, /The model "\.\/nope\.gguf" was not found\. /],
    ["gateway", ["--port", "0"], { TOOLINGUA_MODEL: "./nope.gguf" }, /^The model "\.\/nope\.gguf" was not found\. /],
  ])("says why, and ends with 1: %s", async (name, args, env, why) => {
    const { code, err } = await started(name, args, env);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(why) });
    expect(err).not.toContain("    at ");
  });
});
