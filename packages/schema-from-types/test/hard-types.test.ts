import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolsFromFiles } from "../src/index.js";
import { values } from "./values.js";

const file = fileURLToPath(new URL("./fixtures/hard-types.ts", import.meta.url));
const tools = toolsFromFiles([file]);
const ajv = new Ajv2020.default({ strict: true, strictTypes: false, strictTuples: false, strictRequired: false });
addFormats.default(ajv);

/** The parameters that are one by one, by name; the others take the only parameter as the arguments. */
const wholes = ["forecast", "search", "area", "grow"];

/** A call's arguments, as JSON, of a function's parameters. */
function argumentsOf(name: string, parameters: readonly unknown[], names: readonly string[]): unknown {
  const rest = name === "line" ? [parameters[0], parameters[1], parameters.slice(2)] : parameters;
  const all = name === "tuple" ? [parameters] : rest;
  const whole = wholes.includes(name) ? all[0] : Object.fromEntries(all.map((value, i) => [names[i], value]));
  return JSON.parse(JSON.stringify(whole));
}

const propertiesOf = (parameters: unknown) => (parameters as { properties?: Record<string, unknown> }).properties ?? {};

describe("a file of three hundred lines with hard types", () => {
  it("is complete: every function of it becomes a definition", () => {
    const source = readFileSync(file, "utf8");
    expect(source.split("\n").length).toBeGreaterThan(300);
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(values).sort());
  });

  it.each(tools)("$name accepts whatever its types accept", ({ name, parameters }) => {
    const validate = ajv.compile(parameters as object);
    const names = Object.keys(propertiesOf(parameters));
    const law = fc.property(values[name as keyof typeof values] as fc.Arbitrary<readonly unknown[]>, (given) => {
      const args = argumentsOf(name, given, names);
      expect(validate(args) ? [] : validate.errors, JSON.stringify(args)).toEqual([]);
    });
    fc.assert(law, { numRuns: 200 });
  });

  /** What the compiler refuses, the schema refuses. */
  it.each([
    ["nearby", { place: { name: "A", latitude: 0, longitude: 0 }, within: { value: 1, unit: "ft" } }],
    ["nearby", { within: { value: 1, unit: "m" } }],
    ["send", { to: [1], text: "" }],
    ["send", { to: "a", text: "", priority: 1 }],
    ["forecast", { city: 1 }],
    ["forecast", {}],
    ["search", { query: "a", size: 11 }],
    ["search", { query: "a", filters: { year: true } }],
    ["area", { kind: "circle", sides: 3, radius: 1 }],
    ["area", { kind: "path", points: [[1, 2, 3]] }],
    ["mixed", { value: true, flag: "auto", level: 1 }],
    ["mixed", { value: null, flag: "on", level: 1 }],
    ["mixed", { value: null, flag: true, level: 4 }],
    ["nullable", { a: "a" }],
    ["release", { version: "v1.x", colour: "red", corner: "top-left" }],
    ["release", { version: "v1.0", colour: "blue", corner: "top-left" }],
    ["release", { version: "v1.0", colour: "red", corner: "top" }],
    ["release", { version: "v1.0", colour: "red", corner: "top-left", raw: "aab*" }],
    ["shout", { text: "yes", any: "" }],
    ["line", { from: [1], to: [1, 2] }],
    ["line", { from: [1, 2], to: [1, 2, 3, 4] }],
    ["line", { from: [1, 2], to: [1, 2], tags: [1] }],
    ["plot", { points: [1], ends: ["a", 1], empty: [] }],
    ["plot", { points: ["a"], ends: ["a", 1], empty: [1] }],
    ["matrix", { rows: [], grid: [], pairs: [["a", "yesterday"]] }],
    ["schedule", { meeting: { title: "a", start: 5 } }],
    ["schedule", { meeting: { title: "a", start: null } }],
    ["showPage", { page: { items: [{ id: 1, name: "a" }] }, sizes: { items: [] } }],
    ["patchUser", { id: 1, patch: { profile: { age: "1" } }, nulls: { id: null, name: null } }],
    [
      "variants",
      {
        without: { id: 1 },
        required: { page: 1, size: 10 },
        getters: { getName: "" },
        key: "id",
        excluded: "a",
        bio: "",
      },
    ],
    ["pluck", { item: {}, key: "id" }],
    ["translate", { words: { a: 1 }, langs: { en: {}, nl: {} } }],
    ["request", { headers: { accept: "a", other: 1 }, data: {}, byNumber: {} }],
    ["request", { headers: { accept: "a" }, data: { "data-a": "1" }, byNumber: {} }],
    ["grow", { label: "a", children: [{}] }],
    ["evaluate", { expression: { op: "+", left: 1, right: { op: "-", left: 1, right: 1 } } }],
    ["invite", { email: "a", user: { name: "a", createdAt: "2026-01-01T00:00:00Z" } }],
    ["log", { anything: 1, some: "text", none: null }],
    ["log", { anything: 1, some: {}, none: null, maybe: 1 }],
    ["resize", { size: [1, 2], options: { quality: "high" } }],
    ["paint", { side: "top" }],
    ["handle", { event: { type: "drop" } }],
    ["tuple", { args: [1] }],
  ])("%s refuses %j", (name, args) => {
    const { parameters } = tools.find((tool) => tool.name === name)!;
    expect(ajv.compile(parameters as object)(args)).toBe(false);
  });

  it("includes JSDoc and defaults", () => {
    const find = (name: string) => tools.find((tool) => tool.name === name)!;
    expect(find("send").description).toBe("Sends a message.");
    expect(propertiesOf(find("send").parameters).priority).toEqual({
      type: "number",
      enum: [0, 5, 6],
      description: "How soon",
      default: 5,
    });
    expect(propertiesOf(find("search").parameters)).toMatchObject({
      depth: { description: "How deep to look" },
      order: { default: "relevance" },
      page: { type: "integer", minimum: 1, description: "Counts from 1." },
    });
    expect(propertiesOf(find("resize").parameters)).toMatchObject({
      size: { description: "How big" },
      options: {
        description: "How it is done",
        default: {},
        properties: { quality: { default: 0.8, description: "From 0 to 1" }, crop: { default: false } },
      },
      scale: { default: -1.5 },
      labels: { default: ["a", "b"] },
      extra: { default: { unit: "mi", nested: { deep: true } } },
    });
    expect(propertiesOf(find("paint").parameters)).toMatchObject({
      theme: { default: "light" },
      code: { default: 2 },
      side: { default: "left" },
    });
  });
});
