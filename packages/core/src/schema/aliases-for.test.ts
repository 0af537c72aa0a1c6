import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../types.js";
import { aliasesFor } from "./aliases-for.js";
import { PLAIN_NAME } from "./names.js";
import { bareSpelling } from "./spelling.js";

const tool = (name: string, ...keys: string[]): ToolDefinition => ({
  name,
  parameters: { type: "object", properties: Object.fromEntries(keys.map((key) => [key, { type: "string" }])) },
});
const names = (tools: ToolDefinition[]) => tools.map(({ name }) => aliasesFor(tools, {}, "name").tools.short(name));
const keys = (...list: string[]) => {
  const { short } = aliasesFor([tool("f", ...list)], {}, "name").parameters("f");
  const aliases = aliasesFor([tool("f", ...list)], {}, "name").parameters("f");
  return list.map((key) => short.call(aliases, key));
};

describe("aliasesFor", () => {
  it("shortens names to initials and first letters", () => {
    expect(names([tool("get_weather"), tool("weather"), tool("sendEmail"), tool("HTTPGet"), tool("天気")])).toEqual([
      "GW",
      "W",
      "SE",
      "HG",
      "天",
    ]);
    expect(keys("location", "user_id", "maxResults", "city", "a")).toEqual(["loc", "ui", "mr", "city", "a"]);
  });

  it("numbers those that would be equal in any spelling", () => {
    expect(names([tool("get_weather"), tool("get_wind"), tool("go_west")])).toEqual(["GW", "GW2", "GW3"]);
    expect(keys("userId", "user_id", "location", "locale", "Loc")).toEqual(["ui", "ui2", "loc2", "loc3", "Loc"]);
  });

  it("avoids other full names and the reserved one", () => {
    expect(names([tool("get_weather"), tool("gw")])).toEqual(["GW2", "G"]);
    expect(keys("name", "names", "nam")).toEqual(["nam2", "nam3", "nam"]);
  });

  it("gives aliases to names that could not be written", () => {
    expect(keys("", "%", "a b", "2fa", "__proto__")).toEqual(["p", "p2", "ab", "p3", "pro"]);
  });

  it("resolves the full name in any case, and leaves other words unchanged", () => {
    const aliases = aliasesFor([tool("get_weather", "location")], {}, "name");
    expect(["GW", "gw", "get_weather", "other"].map((word) => aliases.tools.long(word))).toEqual([
      "get_weather",
      "get_weather",
      "get_weather",
      "other",
    ]);
    expect(aliases.parameters("get_weather").long("LOC")).toBe("location");
    expect(aliases.parameters("other").long("loc")).toBe("loc");
  });

  it("uses given aliases, and generates the rest around them", () => {
    const tools = [tool("get_weather", "location", "unit_system"), tool("get_wind")];
    const aliases = aliasesFor(
      tools,
      { get_wind: { alias: "GW" }, get_weather: { parameters: { location: "us" } } },
      "name",
    );
    expect(tools.map(({ name }) => aliases.tools.short(name))).toEqual(["GW2", "GW"]);
    expect(aliases.parameters("get_weather").short("unit_system")).toBe("us2");
  });

  it.each([
    ["unknown-tool", { nope: { alias: "N" } }],
    ["unknown-parameter", { f: { parameters: { nope: "n" } } }],
    ["unwritable", { f: { alias: "a b" } }],
    ["unwritable", { f: { parameters: { x: "" } } }],
    ["unwritable", { f: { parameters: { x: "_" } } }],
    ["collision", { f: { alias: "G" } }],
    ["collision", { f: { alias: "A" }, g: { alias: "a" } }],
    ["collision", { f: { parameters: { x: "Name" } } }],
    ["collision", { f: { parameters: { x: "Y" } } }],
  ])("refuses an invalid one: %s %j", (code, given) => {
    const bad = () => aliasesFor([tool("f", "x", "y"), tool("g")], given, "name");
    expect(bad).toThrow(expect.objectContaining({ name: "AliasError", code }));
  });

  it("is computed again after the array changed, and once otherwise", () => {
    const tools = [tool("get_weather")];
    const given = {};
    const first = aliasesFor(tools, given, "name");
    expect(aliasesFor(tools, given, "name")).toBe(first);
    tools.push(tool("get_wind"));
    expect(aliasesFor(tools, given, "name").tools.short("get_wind")).toBe("GW2");
  });

  it("always resolves to the full name, is writable, and is unique", () => {
    const word = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 8 }),
      fc.stringMatching(/^[a-zA-Z_]{0,6}$/),
      fc.constantFrom("name", "nam", "GW", "gw", "get_wind"),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { maxLength: 8 }),
        fc.uniqueArray(word, { maxLength: 12 }),
        (toolNames, params) => {
          const tools = toolNames.map((name) => tool(name, ...params));
          const all = aliasesFor(tools, {}, "name");
          for (const [list, aliases, reserved] of [
            [toolNames, all.tools, []],
            ...toolNames.map((name) => [params, all.parameters(name), ["name"]] as const),
          ] as const) {
            const short = list.map((name) => aliases.short(name));
            expect(short.map((alias) => aliases.long(alias))).toEqual(list);
            expect(list.map((name) => aliases.long(name))).toEqual(list);
            for (const alias of short) expect(alias).toMatch(PLAIN_NAME);
            expect(new Set([...short, ...reserved].map(bareSpelling)).size).toBe(short.length + reserved.length);
          }
        },
      ),
    );
  });

  it("is stable when a tool is added, unless its name is spelled like an alias", () => {
    const word = fc.stringMatching(/^[a-z]{2,5}(_[a-z]{2,5})?$/);
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 8 }), (list) => {
        const tools = list.map((name) => tool(name));
        const before = names(tools.slice(0, -1));
        fc.pre(!before.some((alias) => bareSpelling(alias) === bareSpelling(list.at(-1)!)));
        expect(names(tools).slice(0, -1)).toEqual(before);
      }),
    );
  });
});
