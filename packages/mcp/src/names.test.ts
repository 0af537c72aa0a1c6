import { expect, test } from "vitest";
import { keyOf, toolNames } from "./names.js";

test("a name that was given before is not given to another tool", () => {
  const [read, write] = [
    { server: "a", tool: "read" },
    { server: "b", tool: "write" },
  ];
  const names = toolNames([write, read], "clash", new Map([[keyOf(read), "write"]]));
  expect([names.get(keyOf(read)), names.get(keyOf(write))]).toEqual(["write", "b__write"]);
});
