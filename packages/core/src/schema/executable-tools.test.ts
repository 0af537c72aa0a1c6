import { expect, test } from "vitest";
import { executableTools } from "./executable-tools.js";

const tool = { name: "now", description: "The time", execute: () => "noon" };
const of = (value: unknown) => Reflect.apply(executableTools, undefined, [value]);

test("the tools are those of the list, or of the object that lists them", () => {
  const list = [tool];
  expect(executableTools(list)).toBe(list);
  expect(executableTools({ toToolList: () => list })).toBe(list);
});

test("a tool that nothing can run is refused by its name", () => {
  for (const other of [{ name: "add" }, { name: "add", execute: "1 + 1" }, { name: "add", invoke: () => 2 }]) {
    for (const list of [[tool, other], { toToolList: () => [tool, other] }]) {
      expect(() => of(list)).toThrow('The tool "add" has no function `execute`.');
      expect(() => of(list)).toThrow(expect.objectContaining({ name: "ToolDefinitionError", code: "missing-execute" }));
    }
  }
});

test("another value, and a tool without a name, are left to the check of the list", () => {
  for (const value of [undefined, null, "now", {}, [null], [{}]]) expect(of(value)).toBe(value);
});
