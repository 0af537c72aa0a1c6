import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformWithEsbuild } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../src/command.js";
import * as functions from "../src/index.js";

// The README's files and commands, word for word, in a folder of their own.

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const [weather = "", example = ""] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!);
const [json = ""] = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map(([, code]) => code!);
const options = /npx toolingua-schemas (.*)/.exec(readme)![1]!.split(" ");

const before = process.cwd();
beforeAll(() => {
  process.chdir(mkdtempSync(join(tmpdir(), "toolingua-types-")));
  writeFileSync("weather.ts", weather);
});
afterAll(() => process.chdir(before));

function command(...args: string[]) {
  const said: string[] = [];
  const note = (text: string) => said.push(text);
  return { code: run(args, { log: note, error: note }), said: said.join("\n") };
}

describe("the command", () => {
  it("writes the README's output", () => {
    expect(command(...options)).toEqual({ code: 0, said: "" });
    expect(JSON.parse(readFileSync("tools.json", "utf8"))).toEqual(JSON.parse(json));
  });

  it("writes a module, and checks that it is up to date", async () => {
    const stale = command("weather.ts", "--out", "tools.ts", "--check");
    expect(stale).toEqual({ code: 1, said: "tools.ts is not up to date: run toolingua-schemas without --check." });
    expect(command("weather.ts", "-o", "tools.ts").code).toBe(0);
    expect(command("weather.ts", "-o", "tools.ts", "--check")).toEqual({ code: 0, said: "" });
    const { code } = await transformWithEsbuild(readFileSync("tools.ts", "utf8"), "tools.ts", { format: "cjs" });
    const module = { exports: {} as { tools?: unknown } };
    new Function("module", "exports", code)(module, module.exports);
    expect(module.exports.tools).toEqual(JSON.parse(json));
  });

  it("prints without --out, only the requested functions", () => {
    expect(JSON.parse(command("weather.ts", "--only", "forecast").said)).toHaveLength(1);
    expect(command("weather.ts", "--only", "nowcast")).toEqual({
      code: 1,
      said: 'weather.ts:1:1 No function named "nowcast" is exported. There is "forecast".',
    });
  });

  it("reports errors with file, line and column", () => {
    writeFileSync(
      "wrong.ts",
      "\n\n\nexport const f = (city: string, temperatures: Map<string, number>) => temperatures;\n",
    );
    const { code, said } = command("wrong.ts");
    expect(code).toBe(1);
    expect(said).toBe("wrong.ts:4:33 Map<string, number> has no JSON form. Use Record<string, …>.");
  });

  it("shows its help", () => {
    expect(command("--help").said).toContain("Usage: toolingua-schemas");
    expect(command().code).toBe(2);
    expect(command("--wrong").said).toContain("Unknown option '--wrong'");
  });
});

describe("the README's example", () => {
  it("logs its documented output", async () => {
    const body = example.replace(/^import [^;]*;$/gm, "");
    const { code } = await transformWithEsbuild(body, "example.ts", { format: "cjs" });
    const logged: unknown[] = [];
    const scope = { ...functions, console: { log: (...all: unknown[]) => logged.push(all.join(" ")) } };
    new Function(...Object.keys(scope), code)(...Object.values(scope));
    expect(logged).toEqual([...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, said]) => said));
  });
});
