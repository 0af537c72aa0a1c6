import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonSchemaFromFunction, SchemaFromTypesError, toolsFromFiles } from "./index.js";

function errorOf(run: () => unknown): SchemaFromTypesError {
  try {
    run();
  } catch (error) {
    if (error instanceof SchemaFromTypesError) return error;
    throw error;
  }
  throw new Error("There was no error.");
}

it.each([[undefined], ["tools.ts"], [[1]]])("files that are no list of paths are refused: %j", (files) => {
  expect(() => toolsFromFiles(files as never)).toThrow(expect.objectContaining({ code: "bad-option" }));
});

describe("jsonSchemaFromFunction", () => {
  it("reads the types of a function's source", () => {
    expect(jsonSchemaFromFunction("export function add(a: number, b = 1) { return a + b; }")).toEqual({
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number", default: 1 } },
      required: ["a"],
    });
  });

  it("reads the named function", () => {
    const source = "export const a = () => 1; export const b = ({ x }: { x: string }) => x;";
    expect(jsonSchemaFromFunction(source, "b")).toMatchObject({ properties: { x: { type: "string" } } });
    expect(errorOf(() => jsonSchemaFromFunction(source)).message).toContain("a, b: say which is meant");
    expect(errorOf(() => jsonSchemaFromFunction(source, "c")).message).toContain('No function named "c" is exported.');
    expect(errorOf(() => jsonSchemaFromFunction("const a = 1;")).code).toBe("no-function");
  });

  const shared = Array.from({ length: 26 }, (_, i) => `interface A${i} { a: A${i + 1}; b: A${i + 1} }`).join("\n");
  it.each([
    [
      "that contain others twice",
      `${shared} interface A26 { x: string } export function f(x: A0) { return x; }`,
      "more than 10000",
    ],
    [
      "that grow without end",
      "interface T<A> { a: T<[A]>; b: T<A[]> } export function f(x: { v: T<1> }) { return x; }",
      "without end",
    ],
    [
      "nested 3,000 levels deep",
      `export function f(x: ${"{ a: ".repeat(3000)}1${" }".repeat(3000)}) { return x; }`,
      "too deeply",
    ],
    ["of 3,000 lists", `export function f(x: 1${"[]".repeat(3000)}) { return x; }`, "too deeply"],
  ])("refuses types %s", (_, source, words) => {
    expect(errorOf(() => jsonSchemaFromFunction(source)).message).toContain(words);
  });

  it("leaves out numbers that a keyword cannot have", () => {
    const tags = "@minLength -1 @maxLength 1.5 @multipleOf 0 @minimum -1.5 @maxItems 2";
    expect(
      jsonSchemaFromFunction(`export function f(x: {\n/** ${tags} */\na: string }, y: 1) { return [x, y]; }`),
    ).toMatchObject({
      properties: { x: { properties: { a: { type: "string", minimum: -1.5, maxItems: 2 } } } },
    });
  });

  it("reads one-line JSDoc next to its subject, but not that of the line before", () => {
    const source = `export function f(x: { /** How many @minimum 3 @default 5 */ y?: number; /** @pattern ^a$ */ z?: string; /** of z */
      w?: string }, q: number) { return [x, q]; }`;
    expect(jsonSchemaFromFunction(source)).toMatchObject({
      properties: {
        x: {
          properties: {
            y: { type: "number", description: "How many", minimum: 3, default: 5 },
            z: { type: "string", pattern: "^a$" },
            w: { type: "string" },
          },
        },
      },
    });
    const { properties } = jsonSchemaFromFunction(source) as { properties: { x: { properties: object } } };
    expect(properties.x.properties).toHaveProperty("w", { type: "string" });
  });

  it("requires the rest parameter if it is a tuple with required items", () => {
    const required = (rest: string) =>
      jsonSchemaFromFunction(`export function f(x: 1, ...args: ${rest}) { return [x, args]; }`);
    expect(required("[a: string, b?: number]")).toMatchObject({ required: ["x", "args"] });
    expect(required("[b?: number]")).toMatchObject({ required: ["x"] });
    expect(required("string[]")).toMatchObject({ required: ["x"] });
  });

  it.each([
    ["<T extends { id: string; n: number }>(item: T, key: keyof T)", { type: "string", enum: ["id", "n"] }],
    ["<T extends { id: string; n: number }, K extends keyof T>(item: T, key: K)", { enum: ["id", "n"] }],
    ["<T extends { id: string }>(item: T, key: keyof T)", { enum: ["id"] }],
    ["<T extends Record<string, number>>(item: T, key: keyof T)", { type: "string" }],
    ["<T>(item: T, key: keyof T)", { type: "string" }],
  ])("reads a key of a type that a parameter extends: %s", (signature, key) => {
    const source = `export function f${signature} { return [item, key]; }`;
    expect(jsonSchemaFromFunction(source)).toMatchObject({ properties: { key } });
  });

  it("explains that a function value has no types any more", () => {
    const given = ((a: number) => a) as unknown as string;
    expect(errorOf(() => jsonSchemaFromFunction(given)).message).toContain("give its TypeScript source");
  });
});

describe("a type that JSON cannot represent", () => {
  it.each([
    ["Map<string, number>", "Map<string, number> has no JSON form. Use Record<string, …>."],
    ["Set<string>", "Set<string> has no JSON form. Use an array."],
    ["bigint", "bigint has no JSON form. Use a number or a string of digits."],
    ["() => void", "The function () => void has no JSON form."],
    ["symbol", "symbol has no JSON form."],
    ["Promise<string>", "Promise<string> has no JSON form. Take what it resolves to."],
    ["Uint8Array", "has no JSON form."],
    ["never", "value can never be given: no value matches its type."],
    ["{ a: { b: Map<string, string> } }", "Map<string, string> has no JSON form."],
    ["{ a: never }", "a can never be given"],
    ["(string | RegExp)[]", "RegExp has no JSON form. Take its source as a string."],
    ["{ run(): void }", "The function () => void has no JSON form."],
    ["{ [Symbol.iterator]: string }", "is a symbol, which JSON does not have."],
    ["Secret", "pin is private: no JSON is an object of this class."],
    ["Endless<string>", "is nested without end."],
  ])("%s is an error with its place", (type, message) => {
    const source = `class Secret { private pin = 1; }
interface Endless<T> { next?: Endless<T[]> }
export function f(
  first: string,
  value: ${type},
) { return [Secret, first, value, 1 as unknown as Endless<string>]; }`;
    const error = errorOf(() => jsonSchemaFromFunction(source));
    expect(error.code).toBe("no-json-form");
    expect(error.message).toContain(message);
    const [problem] = error.problems;
    const line = type === "Secret" ? 1 : type.startsWith("Endless") ? 2 : 5;
    expect(problem).toMatchObject({ file: expect.stringMatching(/source\.ts$/), line });
    expect(problem!.column).toBeGreaterThan(0);
  });

  it("is reported with all others, function by function", () => {
    const source =
      "export const a = (x: Map<string, string>, y: bigint) => [x, y];\nexport function b(z: symbol) { return z; }";
    const places = errorOf(() => jsonSchemaFromFunction(source)).problems.map(({ line, column }) => [line, column]);
    expect(places).toEqual([
      [1, 19],
      [1, 43],
      [2, 19],
    ]);
  });

  it("is reported once for an array that is an object too", () => {
    const error = errorOf(() => jsonSchemaFromFunction("export const f = (a: string[] & { length: 2 }) => a;"));
    expect(error.problems.map(({ message }) => message)).toEqual([
      "string[] & { length: 2; } has no JSON form. Use the array alone, or a tuple.",
    ]);
  });

  it("includes several signatures, and a parameter without a name", () => {
    const overloads =
      "export function f(a: string): void; export function f(a: number): void; export function f(a: unknown) {}";
    expect(errorOf(() => jsonSchemaFromFunction(overloads)).message).toContain("f has 2 signatures");
    const pattern = "export function f([a]: string[], { b }: { b: number }) { return [a, b]; }";
    expect(errorOf(() => jsonSchemaFromFunction(pattern)).message).toContain("name it in JSDoc");
  });

  it("is the compiler's error if the source is wrong", () => {
    const error = errorOf(() => jsonSchemaFromFunction("export function f(a: Unknown) { return a; }"));
    expect(error.code).toBe("type-error");
    expect(error.problems[0]).toMatchObject({ line: 1, column: 22, message: "Cannot find name 'Unknown'." });
  });
});

describe("toolsFromFiles", () => {
  it("knows the types that are installed beside the tsconfig.json, wherever the process is", () => {
    const project = mkdtempSync(join(tmpdir(), "toolingua-types-"));
    mkdirSync(join(project, "node_modules/@types/cities"), { recursive: true });
    writeFileSync(join(project, "node_modules/@types/cities/index.d.ts"), 'type City = "Oslo" | "Bergen";');
    writeFileSync(join(project, "tsconfig.json"), "{}");
    writeFileSync(join(project, "tools.ts"), "export function weather(city: City) { return city; }");
    const [tool] = toolsFromFiles([join(project, "tools.ts")]);
    expect(tool?.parameters).toMatchObject({ properties: { city: { enum: ["Oslo", "Bergen"] } } });
  });

  const folder = mkdtempSync(join(tmpdir(), "toolingua-types-"));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  write("tsconfig.json", '{ "compilerOptions": { "types": [] } }');
  write("types.ts", "export interface Options { city: string }");
  const file = write(
    "weather.ts",
    `import type { Options } from "./types.js";
/** The weather. */
export default function forecast(options: Options) { return options.city; }
export { forecast as weather };
export const version = 1;
export class Engine {}
`,
  );

  it("follows imports, renames and default exports, and omits values that are not functions", () => {
    const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    expect(toolsFromFiles([file])).toEqual([
      { name: "forecast", description: "The weather.", parameters },
      { name: "weather", description: "The weather.", parameters },
    ]);
    expect(toolsFromFiles([file], { only: ["weather"] }).map(({ name }) => name)).toEqual(["weather"]);
  });

  it("reports a missing file, and duplicate names", () => {
    expect(errorOf(() => toolsFromFiles([join(folder, "none.ts")])).message).toContain("There is no such file.");
    const twice = write("twice.ts", "export function forecast() {}");
    expect(errorOf(() => toolsFromFiles([file, twice])).message).toContain("Two functions are named forecast");
  });
});
