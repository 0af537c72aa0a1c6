import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const called = (name: string, args: string) => `<tool_call>{"name": "${name}", "arguments": {${args}}}</tool_call>`;
const filters = ["a", "b"];

describe("a comment after #", () => {
  test.each([
    ["after a list", '"filters": ["a", "b"], # both\n', ""],
    ["after a list without a comma", '"filters": ["a", "b"] # both\n', ""],
    ["after an item", '"filters": ["a", # the first\n"b"]', ""],
    ["after the last item", '"filters": ["a", "b", # the last\n]', ""],
  ])("ends with its line in JSON, %s", (_, args) => {
    expect(readings(called("query", args), "hermes")).toEqual([["query", { filters }]]);
    const call = `[query(${args.replace('"filters": ', "filters=")})]`;
    for (const protocol of ["pythonic", "hermes"] as const)
      expect(readings(call, protocol)).toEqual([["query", { filters }]]);
  });

  test("is text within a string", () => {
    const call = called("query", '"filters": ["a", "# b", "c"]');
    expect(readings(call, "hermes")).toEqual([["query", { filters: ["a", "# b", "c"] }]]);
  });
});

test("an ideographic space is space between tokens", () => {
  const call = called("query", '"filters": ["a", "b"]').replaceAll(/(?<=[:,{[])|(?=[}\]])/g, "\u3000");
  expect(readings(call, "hermes")).toEqual([["query", { filters }]]);
  expect(readings(`[query(\u3000filters\u3000=\u3000["a",\u3000"b"]\u3000)]`, "pythonic")).toEqual([
    ["query", { filters }],
  ]);
  expect(readings(called("book", '"venue": "a\u3000b"'), "hermes")).toEqual([["book", { venue: "a\u3000b" }]]);
});

test("a comma is missing between two objects of a list", () => {
  const tasks = [{ a: 1 }, { a: "}" }, { a: [] }];
  const call = called("save_tasks", '"tasks": [{"a": 1} {"a": "}"}\n{"a": []}]');
  expect(readings(call, "hermes")).toEqual([["save_tasks", { tasks }]]);
  expect(readings('[save_tasks(tasks=[{"a": 1} {"a": "}"} {"a": []}])]', "pythonic")).toEqual([
    ["save_tasks", { tasks }],
  ]);
  expect(readings(called("save_tasks", '"tasks": {"a": 1} {"a": 2}'), "hermes")).toEqual([expect.any(String)]);
});
