import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { combinations } from "../../../test/support/arbitrary-combination.js";
import { emitValue, ValueBuilder } from "../../notation/value-sink.js";
import { createReplyParser, parseReply } from "../../parse.js";
import { Aliases, noAliases } from "../../schema/aliases.js";
import { planFor } from "../../schema/plan.js";
import type { JsonSchema } from "../../types.js";
import { collectReply } from "../parse-reply.js";
import { allMatchAsIs, Emitter, matchAsIs } from "./emitter.js";
import { Repairs } from "./repairs.js";

const text = { type: "string" };
const integer = { type: "integer" };
const weather = { type: "object", properties: { city: text, days: integer, tags: { type: "array", items: text } } };

/** An emitter for a schema, its repairs, and the text that it has written. */
function emitterFor(schema: JsonSchema, options: { aliases?: Aliases; writesText?: boolean } = {}) {
  const repairs = new Repairs();
  const emitter = new Emitter(planFor(schema), repairs, {
    aliases: noAliases,
    writesText: true,
    tool: "weather",
    ...options,
  });
  return { emitter, repairs };
}

/** The arguments that a value becomes, their text, the codes of the repairs, and the places that are refused. */
function emitted(value: unknown, schema: JsonSchema = weather, options: Parameters<typeof emitterFor>[1] = {}) {
  const { emitter, repairs } = emitterFor(schema, options);
  emitValue(value, emitter);
  emitter.check();
  const delta = emitter.takeDelta();
  return {
    value: emitter.value,
    delta,
    repairs: repairs.list().map(({ code }) => code),
    refused: repairs.issues.map(({ path }) => path),
  };
}

describe("the text of the arguments", () => {
  test("parses to exactly the arguments, for schemas of any keywords", () => {
    fc.assert(
      fc.property(combinations, fc.boolean(), ({ schema, values }, isInside) => {
        const whole = { type: "object" as const, properties: { x: schema, any_x: {} } };
        for (const value of values) {
          const { value: args, delta } = emitted(isInside ? { x: value } : value, isInside ? whole : schema);
          expect(JSON.parse(delta)).toEqual(args);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("arrives with each part of a string, and with each item of a list", () => {
    const { emitter } = emitterFor(weather);
    const steps: (() => void)[] = [
      () => emitter.begin("object"),
      () => emitter.key("city"),
      () => emitter.begin("string"),
      () => emitter.text("Os"),
      () => emitter.text('l"o\n'),
      () => emitter.end("string"),
      () => emitter.key("tags"),
      () => emitter.begin("array"),
      () => emitValue("a", emitter),
      () => emitValue("b", emitter),
      () => emitter.end("array"),
      () => emitter.end("object"),
    ];
    const deltas = steps.map((step) => {
      step();
      return emitter.takeDelta();
    });
    expect(deltas).toEqual(["{", "", '"city":"', "Os", 'l\\"o\\n', '"', "", ',"tags":[', '"a"', ',"b"', "]", "}"]);
    expect(emitter.value).toEqual({ city: 'Osl"o\n', tags: ["a", "b"] });
  });

  test("keeps the spelling of numbers and strings in JSON", () => {
    const { emitter } = emitterFor({ type: "object", properties: { n: { type: "number" }, s: text } });
    emitter.begin("object");
    emitter.key("n");
    emitter.scalar(1.5, "1.50");
    emitter.key("s", '"\\u0073"');
    emitter.begin("string");
    emitter.text("é", "\\u00e9");
    emitter.end("string");
    emitter.end("object");
    expect(emitter.takeDelta()).toBe('{"n":1.50,"\\u0073":"\\u00e9"}');
  });

  test("is empty where only the value is wanted", () =>
    expect(emitted({ city: "Oslo", zone: 1 }, weather, { writesText: false })).toMatchObject({
      value: { city: "Oslo" },
      delta: "",
    }));
});

describe("a value that the schema does not ask for", () => {
  test.each<[string, unknown, unknown, string[]]>([
    ["is coerced", { days: "3" }, { days: 3 }, ["to-number"]],
    ["is dropped if it is null", { city: "Oslo", days: null }, { city: "Oslo" }, ["dropped-null"]],
    ["is renamed under another spelling of its key", { City: "Oslo" }, { city: "Oslo" }, ["renamed-key"]],
    ["is left out under another key", { city: "Oslo", zone: "x" }, { city: "Oslo" }, ["dropped-key"]],
    ["is taken out of its wrapping", { args: { city: "Oslo" } }, { city: "Oslo" }, ["wrapped-arguments"]],
    [
      "is taken out of a part of its wrapping",
      { city: "Oslo", args: { days: 2 } },
      { city: "Oslo", days: 2 },
      ["partly-wrapped"],
    ],
    ["is empty arguments if it is nothing", null, {}, []],
    ["is empty arguments if it is an empty list", [], {}, []],
  ])("%s", (_, value, wanted, repairs) => {
    const schema = { ...weather, additionalProperties: false };
    expect(emitted(value, schema)).toMatchObject({ value: wanted, refused: [] });
    expect(emitted(value, schema).repairs).toEqual(expect.arrayContaining(repairs));
  });

  test("is a number that JavaScript cannot represent: text where that is allowed, refused elsewhere; a fraction is rounded", () => {
    const read = (type: string | string[], value: number, source: string) => {
      const { emitter, repairs } = emitterFor({ type: "object", properties: { id: { type } } });
      emitter.begin("object");
      emitter.key("id");
      emitter.scalar(value, source);
      emitter.end("object");
      expect(JSON.parse(emitter.takeDelta())).toEqual(emitter.value);
      return [emitter.value, repairs.list().map(({ code }) => code), repairs.issues.map(({ path }) => path)];
    };
    expect(read(["string", "integer"], 2 ** 53, "9007199254740993")).toEqual([
      { id: "9007199254740993" },
      ["to-string"],
      [],
    ]);
    expect(read("number", 2 ** 53, "9007199254740993")[2]).toEqual(["/id"]);
    expect(read("number", 2 ** 53 + 2, "9007199254740993.2")).toEqual([{ id: 2 ** 53 + 2 }, ["rounded-number"], []]);
    expect(read("integer", 2 ** 53, "9007199254740993.0")[2]).toEqual(["/id"]);
    expect(read("integer", 2 ** 53, "9007199254740993")[2]).toEqual(["/id"]);
    expect(read("number", Number.POSITIVE_INFINITY, "1e999")[2]).toEqual(["/id"]);
  });
});

describe("arguments that are refused", () => {
  const twice = (emitter: Emitter, key: string, values: unknown[]) => {
    emitter.begin("object");
    for (const value of values) {
      emitter.key(key);
      emitValue(value, emitter);
    }
    emitter.end("object");
    emitter.check();
  };

  test.each<[string, unknown[], string[]]>([
    ["city", ["a", "b"], ["/city"]],
    ["city", ["a", "a"], []],
    ["days", [1, null], ["/days"]],
    ["tags", [["a"], ["b"]], ["/tags"]],
  ])("have two values of %s: %j", (key, values, refused) => {
    const { emitter, repairs } = emitterFor(weather);
    twice(emitter, key, values);
    expect(repairs.issues.map(({ path }) => path)).toEqual(refused);
  });

  test("lie beside keys that the tool lacks, in a part of their wrapping", () => {
    const schema = { ...weather, additionalProperties: false };
    expect(emitted({ city: "Oslo", args: { days: 2 }, zone: "x" }, schema).refused).toEqual(["/zone"]);
    expect(emitted({ zone: "x", city: "Oslo" }, schema).refused).toEqual([]);
    expect(emitted({ args: { zone: "x" } }, schema).refused).not.toEqual([]);
  });
});

describe("an emitter", () => {
  test("has the path of the next value", () => {
    const { emitter } = emitterFor({ type: "object", properties: { a: { type: "array", items: { type: "object" } } } });
    const paths = [emitter.path];
    emitter.begin("object");
    emitter.key("a");
    paths.push(emitter.path);
    emitter.begin("array");
    paths.push(emitter.path);
    emitValue({ x: 1 }, emitter);
    paths.push(emitter.path);
    emitter.begin("object");
    emitter.key("b/c");
    paths.push(emitter.path);
    expect(paths).toEqual(["", "/a", "/a/0", "/a/1", "/a/1/b~1c"]);
  });

  test("knows the keys that may occur at its place", () => {
    const near = { type: "object", properties: { zip: text }, additionalProperties: false };
    const { emitter } = emitterFor({ ...weather, properties: { ...weather.properties, near } });
    expect([emitter.isEmpty, emitter.needsObject, emitter.expects("city")]).toEqual([true, true, undefined]);
    emitter.begin("object");
    expect([emitter.isEmpty, emitter.expects("city"), emitter.expects("zip")]).toEqual([false, true, false]);
    emitter.key("tags");
    expect([emitter.needsTexts, emitter.needsObject]).toEqual([true, false]);
    emitter.key("near");
    expect([emitter.needsTexts, emitter.needsObject, emitter.declares("zip")]).toEqual([false, true, false]);
    emitter.begin("object");
    expect([emitter.expects("zip"), emitter.declares("zip"), emitter.declares("city")]).toEqual([true, true, true]);
    emitter.key("other");
    expect(emitter.expects("zip")).toBeUndefined();
  });

  test("reads the aliases of arguments, but not of values inside", () => {
    const aliases = new Aliases(new Map([["city", "c"]]), new Map([["c", "city"]]));
    const schema = { type: "object", properties: { city: text, near: { type: "object", properties: { city: text } } } };
    const { value, repairs } = emitted({ c: "Oslo", near: { c: "x", city: "y" } }, schema, { aliases });
    expect(value).toEqual({ city: "Oslo", near: { c: "x", city: "y" } });
    expect(repairs).toEqual([]);
  });

  test("writes arguments that came before the name", () => {
    const { emitter } = emitterFor(weather);
    const builder = new ValueBuilder();
    emitValue({ city: "Oslo", days: "2" }, builder);
    emitter.writeBuilt(builder);
    expect([emitter.value, emitter.takeDelta()]).toEqual([{ city: "Oslo", days: 2 }, '{"city":"Oslo","days":2}']);
  });

  test("takes all arguments at once only if none was written, none has an alias, and they match as they are", () => {
    const whole = (value: object) => () => ({ value, source: JSON.stringify(value), inner: "" });
    const { emitter } = emitterFor(weather);
    expect(emitter.whole(whole({ city: 1 }))).toBe(false);
    expect(emitter.whole(() => undefined)).toBe(false);
    expect(emitter.whole(whole({ city: "Oslo" }))).toBe(true);
    expect([emitter.value, emitter.takeDelta(), emitter.takesWhole]).toEqual([
      { city: "Oslo" },
      '{"city":"Oslo"}',
      false,
    ]);
    expect(emitterFor(weather, { aliases: new Aliases() }).emitter.takesWhole).toBe(false);
  });
});

test("whole arguments match as they are unless a key may be that of their wrapping or a misspelt one", () => {
  const open = planFor({ ...weather, additionalProperties: true });
  expect(allMatchAsIs({ city: "Oslo", zone: 1 }, open)).toBe(true);
  expect(allMatchAsIs({ zone: 1, city: "Oslo" }, open)).toBe(false);
  const plan = planFor(weather);
  expect(allMatchAsIs({ city: "Oslo", zone: 1 }, plan)).toBe(false);
  expect(allMatchAsIs({ city: "Oslo", args: {} }, plan)).toBe(false);
  expect(matchAsIs({ city: "Oslo" }, plan)).toEqual({ matches: true });
  expect(matchAsIs({ city: 1 }, plan)).toBeUndefined();
  expect(matchAsIs({ n: -1 }, planFor({ type: "object", properties: { n: { minimum: 0 } } }))).toEqual({
    matches: false,
  });
});

describe("an object in place of a text is the text that the model wrote", () => {
  const tools = [{ name: "save", parameters: { type: "object", properties: { body: text, list: { type: "array" } } } }];
  const read = (reply: string) => {
    const whole = parseReply(reply, { protocol: "hermes", tools }).toolCalls[0];
    const parser = createReplyParser({ protocol: "hermes", tools });
    const events = [...reply].flatMap((character) => [...parser.push(character)]);
    expect(collectReply([...events, ...parser.end()]).toolCalls[0]?.arguments).toEqual(whole?.arguments);
    return whole?.arguments.body;
  };
  const call = (args: string) => `<tool_call>{"name": "save", "arguments": ${args}}</tool_call>`;
  const named = (args: string) => `<tool_call>{"arguments": ${args}, "name": "save"}</tool_call>`;

  test.each([
    ['{"price": 1.50, "id": 12345678901234567890, "n": 1e2}', '{"price":1.50,"id":12345678901234567890,"n":1e2}'],
    ['[{"a": -0.0}, {}]', '[{"a":-0.0},{}]'],
    ['{"a": [[1.0, "caf\\u00e9"], [], {"b": {"c": null}}]}', '{"a":[[1.0,"caf\\u00e9"],[],{"b":{"c":null}}]}'],
    ["{'a': .5, b: True, 'c': 007}", '{"a":0.5,"b":true,"c":7}'],
  ])("%s", (written, wanted) => {
    for (const reply of [call(`{"body": ${written}}`), named(`{"body": ${written}}`)]) expect(read(reply)).toBe(wanted);
  });

  test("for any JSON", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{3,6}$/), fc.jsonValue(), { minKeys: 2 }), (body) => {
        const json = JSON.stringify(body);
        for (const reply of [call(`{"body": ${json}}`), named(`{"body": ${json}}`)]) expect(read(reply)).toBe(json);
      }),
    );
  });
});
