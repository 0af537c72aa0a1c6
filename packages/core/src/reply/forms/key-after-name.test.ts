import { describe, expect, test } from "vitest";
import { planFor } from "../../schema/plan.js";
import { splitName } from "./key-after-name.js";

const plans = new Map(
  Object.entries({ read: ["file_path"], read_file: ["path"], grep: ["tool"] }).map(([name, keys]) => [
    name,
    planFor({ type: "object", properties: Object.fromEntries(keys.map((key) => [key, { type: "string" }])) }),
  ]),
);
const tools = { isTool: (name: string) => plans.has(name), planOf: (name: string) => plans.get(name) };

describe("a name and a key without the tag between them", () => {
  test.each([
    ["greptool", { name: "grep", length: 4 }],
    ["grep tool", { name: "grep", length: 4 }],
    ["grep\ntool", { name: "grep", length: 4 }],
    ["read_filepath", { name: "read_file", length: 4 }],
  ])("%j are split where both are known", (text, wanted) => expect(splitName(text, tools)).toEqual(wanted));

  test.each(["grep", "grepx", "other tool", "readfile_pathx"])("%j is not split", (text) =>
    expect(splitName(text, tools)).toBeUndefined(),
  );

  test("two ways to split are none", () => {
    plans.set("read_f", planFor({ type: "object", properties: { ilepath: { type: "string" } } }));
    expect(splitName("read_filepath", tools)).toBeUndefined();
  });
});
