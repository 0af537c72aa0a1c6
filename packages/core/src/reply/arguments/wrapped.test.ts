import { describe, expect, test } from "vitest";
import { planFor } from "../../schema/plan.js";
import type { JsonSchema } from "../../types.js";
import { Repairs } from "./repairs.js";
import {
  holdsCall,
  holdsMisplaced,
  isBeside,
  mayWrap,
  namedValues,
  partlyWrapped,
  refuseOthers,
  textArgument,
  typedValue,
  wrappedArguments,
} from "./wrapped.js";

const text = { type: "string" };
const weather = { type: "object", properties: { city: text, days: { type: "integer" } } };
const plan = planFor(weather);
const city = { city: "Rome" };

describe("the arguments inside an object", () => {
  test.each<[string, unknown]>([
    ["under the key of arguments", { args: city }],
    ["in text", { arguments: '{"city": "Rome"}' }],
    ["in a call of the tool", { name: "weather", arguments: city }],
    ["in a call with an id", { id: "1", type: "function", function: { name: "weather", arguments: city } }],
    ["in a schema with values", { type: "object", properties: city, required: ["city"] }],
    ["beside empty arguments", { args: city, parameters: {} }],
    ["as the tool's one string", { input: "Rome" }],
  ])("are found %s", (_, value) => expect(wrappedArguments(value, plan, "weather")).toEqual(city));

  test.each<[string, unknown, JsonSchema?]>([
    ["are the arguments themselves", city],
    ["have another key beside the wrapping", { args: city, zone: 1 }],
    ["have a key that is not declared", { args: { ...city, zone: 1 } }],
    ["are those of another tool", { name: "news", arguments: city }],
    ["lie under a key of two that calls lack", { data: city, id: "1" }],
    ["are the tool's schema", { type: "object", properties: { city: { type: "string" } } }],
    ["lie in a tool without parameters", { args: city }, {}],
    ["lie in a tool that describes other keys", { args: city }, { ...weather, additionalProperties: text }],
    ["are a list", { args: [city] }],
    ["are a list", [city]],
    ["are text under another key", { data: "Rome" }],
    ["are nothing", {}],
  ])("are not found where they %s", (_, value, schema) =>
    expect(wrappedArguments(value, schema ? planFor(schema) : plan, "weather")).toBeUndefined(),
  );

  test("are found under one key that calls lack", () => expect(wrappedArguments({ data: city }, plan)).toEqual(city));
});

describe("text in place of the arguments", () => {
  test("is the tool's only string", () => expect(textArgument(" Rome, Via 5", plan)).toEqual({ city: " Rome, Via 5" }));

  test.each<[string, unknown]>([
    ["is none", 1],
    ["is blank", " "],
    ["says that there are none", "None."],
    ["may be another argument", "3"],
    ["may be a call of the tool", 'weather("Rome")'],
    ["may contain arguments", "the city: Rome"],
    ["may be JSON", '"Rome"'],
  ])("is refused where it %s", (_, value) => expect(textArgument(value, plan, "weather")).toBeUndefined());

  test("is refused where the tool has two strings", () =>
    expect(textArgument("Rome", planFor({ properties: { a: text, b: text } }))).toBeUndefined());

  test("may name another function", () => expect(textArgument("f(x)", plan, "weather")).toEqual({ city: "f(x)" }));
});

describe("the arguments in a part of an object", () => {
  const closed = planFor({ ...weather, additionalProperties: false });

  test.each<[string, unknown, unknown]>([
    ["args", city, city],
    ["args", '{"city": "Rome"}', city],
    ["args", {}, {}],
    ["arguments", "", {}],
    ["args", { zone: 1 }, undefined],
    ["args", "Rome", undefined],
    ["data", city, undefined],
    ["city", city, undefined],
  ])("%s: %j", (key, value, wanted) => expect(partlyWrapped(key, value, closed)).toEqual(wanted));

  test("are none in an empty one where the tool may have any", () => {
    expect(partlyWrapped("args", {}, planFor({}))).toBeUndefined();
    expect(partlyWrapped("args", {}, planFor({ ...weather, additionalProperties: true }))).toBeUndefined();
    expect(partlyWrapped("args", city, planFor({ ...weather, additionalProperties: true }))).toEqual(city);
  });

  test("have keys that wrap only where the schema describes no others", () => {
    expect([mayWrap("args", plan), mayWrap("city", plan), mayWrap("data", plan)]).toEqual([true, false, false]);
    expect(mayWrap("args", planFor({ ...weather, patternProperties: { "^x": text } }))).toBe(false);
  });

  test("are refused with keys that the tool lacks", () => {
    const repairs = new Repairs();
    refuseOthers(["city", "a/b"], plan, repairs);
    expect(repairs.issues.map(({ path }) => path)).toEqual(["/a~1b"]);
  });
});

test.each<[string, unknown, boolean]>([
  ["id", "1", true],
  ["id", {}, false],
  ["name", "Weather", true],
  ["name", "news", false],
  ["args", {}, true],
  ["args", "", false],
  ["args", city, false],
  ["required", [], true],
  ["required", true, false],
  ["zone", 1, false],
])("a key may stand beside the arguments' own: %s, %j", (key, value, wanted) => {
  expect(isBeside(key, value, "weather")).toBe(wanted);
  if (key === "name") expect(isBeside(key, value, undefined)).toBe(false);
});

describe("the arguments in a list that names each one", () => {
  const item = (name: string, value: unknown) => ({ name, value });

  test("have a name or a key, and perhaps a type", () =>
    expect(namedValues([item("city", "Rome"), { key: "days", type: "integer", value: 2 }], plan)).toEqual({
      city: "Rome",
      days: 2,
    }));

  test.each<[string, unknown]>([
    ["no list", item("city", "Rome")],
    ["an empty list", []],
    ["a name that is not declared", [item("zone", "Rome")]],
    ["the same name twice", [item("city", "Rome"), item("city", "Oslo")]],
    ["no value", [{ name: "city" }]],
    ["another key", [{ ...item("city", "Rome"), unit: "c" }]],
    ["items of other kinds", [item("city", "Rome"), "x"]],
  ])("are none with %s", (_, list) => expect(namedValues(list, plan)).toBeUndefined());

  test("are none where the tool has a parameter of that name", () =>
    expect(namedValues([item("city", "Rome")], planFor({ properties: { city: text, value: text } }))).toBeUndefined());
});

test("the value of a typed object is that where the schema allows its type and no object", () => {
  const of = (schema: JsonSchema) => planFor({ properties: { x: schema } }).properties.get("x")!;
  expect(typedValue({ type: "string", value: "a" }, of(text))).toBe("a");
  expect(typedValue({ type: "str", value: "a" }, of(text))).toBe("a");
  const others: [unknown, JsonSchema][] = [
    [{ type: "integer", value: 1 }, text],
    [{ type: "string", value: "a" }, { type: ["string", "object"] }],
    [{ type: "string", value: "a" }, {}],
    [{ type: "string", value: "a", unit: "c" }, text],
    [{ type: 1, value: "a" }, text],
    ["a", text],
  ];
  expect(others.map(([value, schema]) => typedValue(value, of(schema)))).toEqual(others.map(() => undefined));
});

describe("with missing brackets", () => {
  const nested = planFor({
    properties: {
      near: { type: "object", properties: { zip: text } },
      list: { type: "array", items: { type: "object", properties: { zip: text } } },
      city: text,
    },
  });

  test("a key may be that of an outer object, which lacks it", () => {
    expect(holdsMisplaced({ near: { zip: "1", city: "Rome" } }, nested)).toBe(true);
    expect(holdsMisplaced({ list: [{ zip: "1" }, { city: "Rome" }] }, nested)).toBe(true);
    expect(holdsMisplaced({ near: { city: "Rome" }, city: "Oslo" }, nested)).toBe(false);
    expect(holdsMisplaced({ near: { zip: "1", zone: "x" } }, nested)).toBe(false);
    expect(holdsMisplaced("x", nested)).toBe(false);
  });

  test("an object in the arguments may be the next call", () => {
    const isTool = (name: string) => name === "now";
    const found = (value: unknown) => holdsCall(value, isTool);
    expect([{ a: { name: "now" } }, { a: { now: {} } }, { a: [{ b: { tool: "now" } }] }].map(found)).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      [{ name: "now" }, { a: { name: "then" } }, { a: { title: "now" } }, { a: { now: 1 } }, "now", null].map(found),
    ).toEqual(Array(6).fill(false));
  });
});
