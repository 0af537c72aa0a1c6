import { expect, test } from "vitest";
import { type FinishReason, parseReply } from "./index.js";

test("the reason why a reply ended is one that there is", () => {
  const finish = JSON.parse('"tool_calls"') as FinishReason;
  expect(() => parseReply("", { finish })).toThrow('`finish` is "stop" or "length", not "tool_calls".');
  for (const known of ["stop", "length", undefined] as const)
    expect(parseReply("Hi", { finish: known }).text).toBe("Hi");
});
