import { describe, expect, test } from "vitest";
import { Input } from "../../notation/input.js";
import { Aliases, noAliases } from "../../schema/aliases.js";
import { planFor } from "../../schema/plan.js";
import { children } from "../../syntax/parts.js";
import type { Leaf } from "../../syntax/syntax.js";
import type { JsonSchema, RepairCode } from "../../types.js";
import { Emitter } from "../arguments/emitter.js";
import { Repairs } from "../arguments/repairs.js";
import { ElementArguments, isWrapper, wrapperBegins } from "./element-arguments.js";
import { tagShape } from "./tag-shape.js";

const text = { type: "string" };
const schema = {
  type: "object",
  properties: { city: text, days: { type: "integer" }, tags: { type: "array", items: text } },
};

/** The arguments of a tool, with its emitter and notes. */
function argumentsOf({
  parameters = schema as JsonSchema,
  aliases = noAliases,
  leaf = "xml" as Leaf,
  isBegun = true,
} = {}) {
  const plan = planFor(parameters);
  const emitter = new Emitter(plan, new Repairs(), { aliases, writesText: true, tool: "weather" });
  const rejected: string[] = [];
  const repairs: RepairCode[] = [];
  const args = new ElementArguments(
    { leaf, endNewlineIsLayout: false },
    plan,
    emitter,
    { repaired: (code) => repairs.push(code), rejected: (reason) => rejected.push(reason) },
    aliases,
  );
  if (isBegun) emitter.begin("object");
  /** Adds an argument with this text between its tags. */
  const add = (written: string, raw: string, attributes?: Map<string, string>) => {
    const { key, plan: its } = args.begin(written, false);
    args.take(key, its, { raw, attributes });
  };
  const finish = () => {
    args.finish();
    return emitter.value;
  };
  return { args, emitter, add, finish, rejected, repairs };
}

describe("the arguments of elements", () => {
  test("have the types of the schema", () => {
    const { add, finish, emitter, rejected } = argumentsOf();
    add("city", "\nOslo &amp; Bergen\n");
    add("days", " 3 ");
    expect(finish()).toEqual({ city: "Oslo & Bergen", days: 3 });
    expect([emitter.takeDelta(), rejected]).toEqual(['{"city":"Oslo & Bergen","days":3}', []]);
  });

  test("are decoded as their notation writes text", () => {
    const { add, finish } = argumentsOf({ leaf: "text" });
    add("city", "a &amp; b");
    expect(finish()).toEqual({ city: "a &amp; b" });
  });

  test("of one name are one list where the schema has one, also with others between them", () => {
    const { add, finish, emitter } = argumentsOf();
    add("tags", "a");
    add("tags", "b");
    add("city", "Oslo");
    expect(emitter.takeDelta()).toBe('{"tags":["a","b"],"city":"Oslo"');
    add("tags", "c");
    expect(finish()).toEqual({ tags: ["a", "b", "c"], city: "Oslo" });
  });

  test("are written at most twice, however often others are between those of a list", () => {
    const { add, finish, emitter } = argumentsOf();
    for (let i = 0; i < 100; i++) {
      add("tags", "a");
      add("city", "Oslo");
    }
    expect(finish()).toEqual({ tags: Array.from({ length: 100 }, () => "a"), city: "Oslo" });
    const written = emitter.takeDelta();
    expect([written.match(/"tags"/g)?.length, JSON.parse(written)]).toEqual([2, emitter.value]);
  });

  test("are text, an attribute, or several at once", () => {
    const { args, finish } = argumentsOf();
    args.takeText("city", "\n3 &lt; 4\n");
    args.takeAttribute("days", args.begin("days", true).plan, "2");
    args.takeAll({ tags: ["a"] });
    expect(finish()).toEqual({ city: "3 < 4", days: 2, tags: ["a"] });
    expect([...args.given]).toEqual(["days", "tags"]);
  });

  test("may have one element around all, which only the first one is", () => {
    const { args } = argumentsOf();
    expect(args.begin("arguments", false)).toMatchObject({ wraps: true, plan: args.plan });
    expect(args.begin("arguments", false)).toMatchObject({ wraps: false });
    expect(argumentsOf().args.begin("arguments", true)).toMatchObject({ wraps: false });
    expect(argumentsOf().args.begin("city", false)).toMatchObject({ wraps: false, isKnown: true });
    expect(argumentsOf({ parameters: {} }).args.begin("arguments", false)).toMatchObject({ wraps: false });
    expect(argumentsOf({ parameters: { properties: { args: {} } } }).args.begin("args", false)).toMatchObject({
      wraps: false,
    });
  });

  test("may have a prefix that the schema does not declare", () => {
    const { args } = argumentsOf({ parameters: { properties: { city: text, "x:zone": text } } });
    expect(["am:city", "x:zone", "am:zone"].map((written) => args.begin(written, false).key)).toEqual([
      "city",
      "x:zone",
      "am:zone",
    ]);
  });

  test("have only names that the schema declares, or that can be names", () => {
    const { args, rejected } = argumentsOf({ parameters: { properties: { "a b": text } } });
    for (const key of ["a b", "c", "c d", 'e"']) args.begin(key, false);
    expect(rejected).toEqual(['"c d" is not an argument', '"e\\"" is not an argument']);
  });

  test("have aliases", () => {
    const { args } = argumentsOf({ aliases: new Aliases(new Map([["city", "c"]]), new Map([["c", "city"]])) });
    expect([args.knows("c"), args.knows("city"), args.begin("c", false).isKnown]).toEqual([true, true, true]);
    expect(argumentsOf({ parameters: { ...schema, additionalProperties: false } }).args.knows("c")).toBe(false);
  });

  test("drop attributes that have no place, and have no two values in one place", () => {
    const one = argumentsOf();
    one.add("city", "Oslo", new Map([["lang", "no"]]));
    expect([one.finish(), one.repairs]).toEqual([{ city: "Oslo" }, ["dropped-attribute"]]);
    const two = argumentsOf({ parameters: { properties: { place: { type: "object", properties: { city: text } } } } });
    two.add("place", "<city>Oslo</city>", new Map([["city", "Rome"]]));
    expect(two.rejected).toEqual(['"place" has two values']);
  });
});

describe("all arguments at once", () => {
  const closes = (all: string, at: number) => all.startsWith("</call>", at);
  const place = { body: children, shape: tagShape(children), closes };
  const inputOf = (source: string) => {
    const input = new Input();
    input.push(source);
    return input;
  };
  const source = "<city>Oslo</city><days>3</days></call>";

  test("are taken if they are complete and need no repair", () => {
    const { args, emitter, finish } = argumentsOf({ isBegun: false });
    const input = inputOf(source);
    expect([args.takeWhole(input, place), input.text.slice(input.pos)]).toEqual([true, "</call>"]);
    expect([finish(), emitter.takeDelta()]).toEqual([{ city: "Oslo", days: 3 }, '{"city":"Oslo","days":3}']);
  });

  test("are not taken if they are open, have aliases, or others are before them", () => {
    const aliases = new Aliases(new Map(), new Map());
    for (const [settings, written] of [
      [{ isBegun: false }, source.slice(0, 30)],
      [{ isBegun: false, aliases }, source],
      [{ isBegun: true }, source],
    ] as const) {
      const input = inputOf(written);
      expect([argumentsOf(settings).args.takeWhole(input, place), input.pos]).toEqual([false, 0]);
    }
  });
});

test("an element may be the arguments' object of another format", () => {
  expect(["arguments", "parameters", "Args", "city"].map(isWrapper)).toEqual([true, true, true, false]);
  const begins = (all: string) => wrapperBegins(all, 1);
  expect(["x<arguments>", "x<args ", "x<arg", "x<"].map(begins)).toEqual([true, true, true, true]);
  expect(["x<city>", "xarguments", "x</arguments>", "x<arg>"].map(begins)).toEqual([false, false, false, false]);
});
