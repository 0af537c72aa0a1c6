import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { run } from "./command.js";
import { type FileOptions, jsonSchemaFromFunction, type SourceProblem, toolsFromFiles } from "./index.js";

const folder = mkdtempSync(join(tmpdir(), "toolingua-tags-"));
// Without the types of Node.js, which cost more than all else here.
writeFileSync(join(folder, "tsconfig.json"), '{ "compilerOptions": { "types": [] } }');
let count = 0;
function write(text: string): string {
  const file = join(folder, `file${count++}.ts`);
  writeFileSync(file, text);
  return file;
}
const toolsIn = (text: string, options: FileOptions = {}) => toolsFromFiles([write(text)], options);
const propertiesOf = (source: string) =>
  (jsonSchemaFromFunction(source) as { properties: Record<string, unknown> }).properties;

describe("JSDoc of named types", () => {
  const types = `
/** How old somebody is. @minimum 0 @asType integer */
type Age = number;
/** Another name. */
type Years = Age;
/** Somebody. */
interface Person { /** Their own words. */ age: Age; years?: Years; ages: Age[]; list: ReadonlyArray<Age>; maybe: Age | null; unit: Unit; units?: Unit[] }
/** What it is measured in. */
enum Unit { /** Metres */ M = "m", Km = "km" }
/** A pair of persons. */
type Pair = { a: Person };
/** @pattern ^[a-z]+$ */
type Id = string & { readonly brand: unique symbol };
`;
  it("is in the schema where they are used, below that of the place itself", () => {
    const source = `${types} export function f(person: Person, pair: Pair, id: Id, years: Years, age?: Age) { return [person, pair, id, years, age]; }`;
    const schema = jsonSchemaFromFunction(source) as { properties: Record<string, unknown>; $defs?: object };
    const { person, pair, id, years, age } = schema.properties;
    const own = { type: "integer", minimum: 0 };
    expect(age).toEqual({ ...own, description: "How old somebody is." });
    expect(years).toEqual({ ...own, description: "Another name." });
    expect(id).toEqual({ type: "string", pattern: "^[a-z]+$" });
    expect(pair).toMatchObject({ type: "object", description: "A pair of persons." });
    expect(person).toMatchObject({
      description: "Somebody.",
      properties: {
        age: { ...own, description: "Their own words." },
        years: { ...own, description: "Another name." },
        ages: { type: "array", items: { ...own, description: "How old somebody is." } },
        list: { items: { minimum: 0 } },
        maybe: { minimum: 0, description: "How old somebody is." },
        unit: { enum: ["m", "km"], description: 'What it is measured in.\n"m": Metres' },
        units: { items: { description: expect.stringContaining("What it is measured in.") } },
      },
    });
  });

  it("of the language's own types is not used", () => {
    const { part } = propertiesOf(
      "export function f(part: Omit<{ a: 1; b: 2 }, 'a'>, x: number) { return [part, x]; }",
    );
    expect(part).toEqual({ type: "object", properties: { b: { const: 2 } }, required: ["b"] });
  });

  it("is in the definition of a recursive type", () => {
    const source =
      "/** A tree. */ interface Tree { next?: Tree } export function f(tree: Tree, x: 1) { return [tree, x]; }";
    expect(jsonSchemaFromFunction(source)).toMatchObject({ $defs: { Tree: { description: "A tree." } } });
  });
});

describe("tags", () => {
  it("@uniqueItems and @examples are keywords, and so are those of contents", () => {
    const source = `export function f(x: {
      /** @uniqueItems */ tags: string[];
      /** @uniqueItems false */ list: string[];
      /** @examples ["a", "b"] */ name: string;
      /** @examples one */ word: string;
      /** @contentEncoding base64 @contentMediaType image/png */ picture: string;
    }, y: 1) { return [x, y]; }`;
    const { x } = propertiesOf(source);
    expect(x).toMatchObject({
      properties: {
        tags: { uniqueItems: true },
        list: { type: "array" },
        name: { examples: ["a", "b"] },
        word: { examples: ["one"] },
        picture: { contentEncoding: "base64", contentMediaType: "image/png" },
      },
    });
    expect(JSON.stringify(x)).toContain('"list":{"type":"array","items":{"type":"string"}}');
  });

  const shapes =
    "/** @discriminator kind */ type Shape = { kind: 'circle'; r: number } | { kind: 'square'; a: number };";
  it("@discriminator names the property that selects a member of a union, as in OpenAPI and Ajv", () => {
    const source = `${shapes} export function f(shape: Shape, maybe: Shape | null, other?: Shape) { return [shape, maybe, other]; }`;
    const { shape, maybe, other } = propertiesOf(source);
    expect(shape).toMatchObject({ oneOf: [{}, {}], discriminator: { propertyName: "kind" } });
    expect(other).toEqual(shape);
    expect(maybe).toEqual({ anyOf: [shape, { type: "null" }] });
    const ajv = new Ajv2020.default({ discriminator: true });
    const validate = ajv.compile(shape as object);
    expect(validate({ kind: "circle", a: 1 })).toBe(false);
    expect(validate.errors).toMatchObject([
      { instancePath: "", keyword: "required", params: { missingProperty: "r" } },
    ]);
    const alone = jsonSchemaFromFunction(`${shapes} export function f(shape: Shape) { return shape; }`);
    expect(alone).toMatchObject({ type: "object", oneOf: [{}, {}], discriminator: { propertyName: "kind" } });
  });

  it("@discriminator is refused if it does not distinguish the members", () => {
    const source =
      "/** @discriminator kind */ type Shape = { kind: 'a' } | { kind: 'a'; b: 1 }; export function f(s: Shape, x: 1) { return [s, x]; }";
    expect(() => jsonSchemaFromFunction(source)).toThrow(/@discriminator kind: each member of the union needs/);
  });
});

describe("methods", () => {
  const source = `
/** Weather */
export class Weather {
  private key = "";
  #cache = 1;
  /** Tomorrow's. @param city - Its name */
  forecast(city: string, days = 1) { return [this.key, this.#cache, city, days]; }
  /** @internal */
  reset() {}
  protected refresh() {}
  now = async (city: string) => ({ city });
}
export const math = { /** Adds */ add(a: number, b: number) { return a + b; }, pi: 3 };
export function plain(x: 1) { return x; }
`;
  it("of classes and objects become tools on request", () => {
    expect(toolsIn(source).map(({ name }) => name)).toEqual(["plain"]);
    const tools = toolsIn(source, { methods: true });
    expect(tools.map(({ name }) => name)).toEqual(["forecast", "now", "add", "plain"]);
    expect(tools[0]).toEqual({
      name: "forecast",
      description: "Tomorrow's.",
      parameters: {
        type: "object",
        properties: { city: { type: "string", description: "Its name" }, days: { type: "number", default: 1 } },
        required: ["city"],
      },
    });
    const only = ["Weather.now", "add"];
    expect(toolsIn(source, { methods: true, only }).map(({ name }) => name)).toEqual(["now", "add"]);
    const twice = `${source} export class Other { forecast() {} }`;
    expect(() => toolsIn(twice, { methods: true })).toThrow(/Two functions or methods are named forecast/);
  });
});

describe("results", () => {
  it("have a schema if JSON can represent their type", () => {
    const source = `
export async function a(x: 1): Promise<{ temperature: number; tags?: string[] }> { return { temperature: x }; }
export function b(x: 1): string | null { return String(x); }
export function c(x: 1): void { console.log(x); }
export function d(x: 1): Map<string, string> { return new Map([["", String(x)]]); }
export function e(x: 1): unknown { return x; }
export function f(x: 1): string | undefined { return String(x); }
interface Tree { next?: Tree } export function g(x: Tree): Tree { return x; }
`;
    const schemas = Object.fromEntries(toolsIn(source, { results: true }).map((one) => [one.name, one.resultSchema]));
    expect(schemas.a).toEqual({
      type: "object",
      properties: { temperature: { type: "number" }, tags: { type: "array", items: { type: "string" } } },
      required: ["temperature"],
    });
    expect(schemas.b).toEqual({ type: expect.arrayContaining(["string", "null"]) });
    expect(schemas.g).toMatchObject({ $ref: "#/$defs/Tree", $defs: { Tree: { type: "object" } } });
    for (const name of ["c", "d", "e", "f"]) expect(schemas[name]).toBeUndefined();
    expect(toolsIn(source)[0]).not.toHaveProperty("resultSchema");
  });
});

describe("a function that no definition can be made of", () => {
  const source = `
import { Gone } from "./gone.js";
export function good(x: string) { return x; }
export function map(x: Map<string, string>) { return x; }
export function gone(x: Gone) { return x; }
export function broken(x: string): number { return x; }
export const fine = (n: number) => n;
export function fine2(a: string): void; export function fine2(a: number): void; export function fine2(a: unknown) { void a; }
`;
  it("does not prevent the others", () => {
    const problems: SourceProblem[] = [];
    const tools = toolsIn(source, { onProblem: (problem) => problems.push(problem) });
    expect(tools.map(({ name }) => name)).toEqual(["good", "fine"]);
    expect(problems.map(({ line }) => line).sort()).toEqual([2, 4, 5, 6, 8]);
    expect(() => toolsIn(source)).toThrow(/Cannot find module/);
  });

  it("is reported by the command, which writes the others and ends with 1", () => {
    const said: string[] = [];
    const output = { log: (text: string) => said.push(text), error: (text: string) => said.push(text) };
    expect(run([write(source)], output)).toBe(1);
    expect(said[0]).toMatch(/:4:\d+ Map<string, string> has no JSON form/);
    expect(JSON.parse(said[1]!)).toMatchObject([{ name: "good" }, { name: "fine" }]);
    const out = join(folder, "out.ts");
    const results = write("export function f(a: number) { return a; }");
    expect(run([results, "--results", "-o", out], output)).toBe(0);
    expect(readFileSync(out, "utf8")).toContain("tools: (ToolDefinition & { resultSchema?: JsonSchema })[] = [");
  });
});

describe("a file without functions", () => {
  it("is reported, with the methods that could be tools", () => {
    const said: string[] = [];
    const output = { log: () => {}, error: (text: string) => said.push(text) };
    expect(run([write("export class Weather { now() {} }")], output)).toBe(1);
    expect(said[0]).toMatch(/no function is exported\. With --methods there would be now\.$/);
    expect(run([write("export const a = 1;")], output)).toBe(1);
    expect(said[1]).toMatch(/no function is exported\.$/);
  });
});

describe("options", () => {
  it("that are unknown are refused, with a suggestion", () => {
    expect(() => toolsIn("", { onlyy: [] } as object)).toThrow(/no "onlyy".*Did you mean "only"/);
    expect(() => toolsIn("", { results: "yes" } as object)).toThrow(/`results` is true or false/);
    expect(() => toolsIn("export function forecast() {}", { only: ["forecasts"] })).toThrow(
      /Did you mean "forecast"\?/,
    );
    const said: string[] = [];
    const output = { log: () => {}, error: (text: string) => said.push(text) };
    expect(run(["--onyl", "x"], output)).toBe(2);
    expect(said[0]).toMatch(/Did you mean --only\?/);
  });
});

it("refuses, with jsonOnly, what JSON has only as a string", () => {
  const source = "export function f(when: Date, at?: { link?: URL }[]) { return [when, at]; }";
  const problems: SourceProblem[] = [];
  expect(toolsIn(source, { jsonOnly: true, onProblem: (one) => problems.push(one) })).toEqual([]);
  expect(problems.map(({ message }) => message.split(". ")[0])).toEqual([
    "Date has no JSON form",
    "URL has no JSON form",
  ]);
  expect(toolsIn(source)).toHaveLength(1);
});
