import { expect, test } from "vitest";
import { toolsIn } from "./tool-list.js";

const tool = { name: "now", description: "The time", execute: () => "noon" };

test("the tools are those of the list, or of the object that lists them", () => {
  const list = [tool];
  expect(toolsIn(list)).toBe(list);
  class Clock {
    readonly tools = list;
    toToolList() {
      return this.tools;
    }
  }
  expect(toolsIn(new Clock())).toBe(list);
});

test("another value is left to the check of the list", () => {
  for (const value of [undefined, null, "now", { toToolList: 1 }]) {
    expect(Reflect.apply(toolsIn, undefined, [value])).toBe(value);
  }
});
