import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "./command.js";
import { jsonSchemaFromFunction, toolsFromFiles } from "./index.js";

const folder = mkdtempSync(join(tmpdir(), "toolingua-slips-"));
writeFileSync(join(folder, "tools.mjs"), "export function f(x) { return x; }");
writeFileSync(join(folder, "tools.json"), "{}");
writeFileSync(join(folder, "tsconfig.json"), '{ "compilerOptions": { "types": [], "resolveJsonModule": true } }');
mkdirSync(join(folder, "tools"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a slip is an error that says what is right", () => {
  it.each([
    ["tools.mjs", "It is no file of TypeScript (.ts, .mts, .cts, .tsx)."],
    ["tools.json", "It is no file of TypeScript (.ts, .mts, .cts, .tsx)."],
    ["tools", "It is a folder. Name the files in it."],
    ["other.ts", "There is no such file."],
  ])("of a file: %s", (name, said) => {
    expect(() => toolsFromFiles([join(folder, name)])).toThrow(`${name}:1:1 ${said}`);
  });

  it("of a file to write that is one to read, which would be lost", () => {
    const [tools, link] = [join(folder, "source.ts"), join(folder, "link.ts")];
    const source = "export function now() {}\n";
    writeFileSync(tools, source);
    symlinkSync(tools, link);
    for (const out of [tools, link, `${folder}/./source.ts`]) {
      const said: string[] = [];
      expect(run([tools, "--out", out], { log: () => {}, error: (text) => said.push(text) })).toBe(2);
      expect(said).toEqual([expect.stringContaining("is one of the files to read, and would be overwritten")]);
    }
    expect(readFileSync(tools, "utf8")).toBe(source);
    expect(run([tools, "--out", join(folder, "made.ts")])).toBe(0);
  });

  it("but a file that is named twice is read once", () => {
    const tools = join(folder, "twice.ts");
    writeFileSync(tools, "export function now() {}\n");
    expect(toolsFromFiles([tools, `${folder}/./twice.ts`]).map(({ name }) => name)).toEqual(["now"]);
  });

  it("of a path in the place of the source", () => {
    expect(() => jsonSchemaFromFunction("src/weather.ts")).toThrow(
      'This is the path of a file: toolsFromFiles(["src/weather.ts"]) reads it.',
    );
  });

  it("of a parameter that JSDoc misspells, which would have no description", () => {
    const source = (doc: string, parameters: string) =>
      `/**\n * Weather.\n * @param ${doc}\n */\nexport function f(${parameters}) {}`;
    expect(() => jsonSchemaFromFunction(source("citty - The city", "city: string"))).toThrow(
      'source.ts:3:4 The JSDoc describes a parameter "citty". Did you mean "city"?',
    );
    expect(() => jsonSchemaFromFunction(source("option.city The city", "options: { city: string }, n: 1"))).toThrow(
      'Did you mean "options"?',
    );
    for (const [doc, parameters] of [
      ["city - The city\n * @param citys - All of them", "city: string, citys: string[]"],
      ["unrelated - Of an older version", "city: string"],
      ["a - Of an older version", "b: string"],
      ["opt - Taken apart", "{ city }: { city: string }"],
    ] as const) {
      expect(() => jsonSchemaFromFunction(source(doc, parameters))).not.toThrow();
    }
  });

  it.each([
    ["Uint8Array", "Take the bytes as a string in base64."],
    ["AbortSignal", "Take it from the context of the call, apart from the arguments."],
  ])("of a type without a JSON form: %s", (type, remedy) => {
    expect(() => jsonSchemaFromFunction(`export function f(x: ${type}) { return x; }`)).toThrow(remedy);
  });
});

it("a link in JSDoc is its words, and not its markup", () => {
  const source = `/** @param city - As {@link Cities} has it, see {@link https://a.b/c | the list} and {@linkcode Cities.all the code}. */
export function f(city: string) { return city; }`;
  expect(jsonSchemaFromFunction(source)).toMatchObject({
    properties: { city: { description: "As Cities has it, see the list and the code." } },
  });
});
