import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bareSpelling } from "../../schema/spelling.js";
import { ToolTable } from "./tool-table.js";

const named = (...names: string[]) => names.map((name) => ({ name }));
const table = ToolTable.of(named("get_weather", "getTime", "add", "a-b", "a_b", "é"));

const name = fc.stringMatching(/^[a-z][a-z_]{0,6}$/);

describe("the tool that a name means", () => {
  test("is the one of that name, or the only one of its spelling", () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 6 }), (names) => {
        const tools = ToolTable.of(named(...names));
        for (const each of names) {
          expect(tools.resolve(each)).toEqual({ name: each, tool: { name: each } });
          const alike = names.filter((other) => bareSpelling(other) === bareSpelling(each));
          const other = `${each.toUpperCase()}_`;
          if (alike.length === 1 && bareSpelling(each) !== "") expect(tools.resolve(other)?.name).toBe(each);
          else expect(names).toContain(tools.resolve(other)?.name ?? each);
        }
      }),
    );
  });

  test.each([
    ["GetWeather", "get_weather"],
    ["get_time", "getTime"],
    ["functions.add:0", "add"],
    ["addadd", "add"],
    ["a-b", "a-b"],
    ["A.B", undefined],
    ["sub", undefined],
    ["", undefined],
    ["_", undefined],
  ])("%j: %s", (written, wanted) => {
    expect(table.resolve(written)?.name).toBe(wanted);
    expect(table.knows(written)).toBe(wanted !== undefined);
  });

  test("is any if the tools are unknown, except an empty name", () => {
    const unknown = ToolTable.of(undefined);
    expect([unknown.areKnown, unknown.resolve("x"), unknown.resolve("")]).toEqual([false, { name: "x" }, undefined]);
    expect([ToolTable.of([]).areKnown, ToolTable.of([]).knows("x")]).toEqual([true, false]);
  });

  test("has exactly that name where the spelling counts", () => {
    expect([table.has("add"), table.has("Add"), table.get("add"), table.get("Add")]).toEqual([
      true,
      false,
      { name: "add" },
      undefined,
    ]);
  });

  test("is none if its name has no letters", () => expect(ToolTable.of(named("_", "a")).knows("-")).toBe(false));
});

test("the beginning of each name that means a tool may begin one", () => {
  fc.assert(
    fc.property(name, fc.constantFrom("", "functions.", "tools:"), fc.nat(20), (each, prefix, end) => {
      const tools = ToolTable.of(named(each));
      for (const written of [each, each.toUpperCase(), prefix + each, each + each])
        if (tools.knows(written)) expect(tools.mayBegin(written.slice(0, end))).toBe(true);
    }),
  );
  expect([table.mayBegin("sub"), table.mayBegin("addr"), ToolTable.of(undefined).mayBegin("x")]).toEqual([
    false,
    false,
    true,
  ]);
});

test("a table is kept for its list, until the list changes", () => {
  const tools = named("a", "b");
  const first = ToolTable.of(tools);
  expect(ToolTable.of(tools)).toBe(first);
  tools[1] = { name: "c" };
  const second = ToolTable.of(tools);
  expect([second.has("b"), second.has("c"), first.has("b")]).toEqual([false, true, true]);
  tools.push({ name: "d" });
  expect(ToolTable.of(tools).has("d")).toBe(true);
  expect(ToolTable.of(undefined)).toBe(ToolTable.of(undefined));
});
