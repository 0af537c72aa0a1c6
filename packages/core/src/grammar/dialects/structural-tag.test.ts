import { expect, test } from "vitest";
import { structuralTag } from "./structural-tag.js";

test("a call is possible and not required, and nothing follows it but calls", () => {
  const tools = [{ name: "add", parameters: { type: "object" as const } }];
  const format = structuralTag({ tools, protocol: "hermes", toolChoice: "auto" })?.format;
  expect(format).toMatchObject({ triggers: ["<tool_call>"], at_least_one: false, stop_after_first: true });
});
