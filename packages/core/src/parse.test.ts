import { expect, test } from "vitest";
import { createReplyParser, type FinishReason, parseReply } from "./index.js";

test("the finish reason of a reply must be a known one", () => {
  const finish = JSON.parse('"tool_calls"') as FinishReason;
  expect(() => parseReply("", { finish })).toThrow(
    '`finish` is "stop", "length" or "content-filter", not "tool_calls".',
  );
  for (const known of ["stop", "length", undefined] as const)
    expect(parseReply("Hi", { finish: known }).text).toBe("Hi");
});

test.each([
  [{ finish: "tool_calls" }, /^`finish` is "stop", "length" or "content-filter", not "tool_calls"\.$/],
  [{ finish: "lenght" }, /not "lenght"\. Did you mean "length"\?$/],
  [{ finsh: "stop" }, /^There is no "finsh" in the options of end\. Did you mean "finish"\?/],
  ["length", /^The options of end must be an object, not "length"\.$/],
  [null, /^The options of end must be an object, not null\.$/],
])("the end of a reply is refused if it is invalid: %j", (how, message) => {
  const parser = createReplyParser();
  expect(() => parser.end(JSON.parse(JSON.stringify(how)))).toThrow(
    expect.objectContaining({ name: "OptionsError", code: "bad-option", message: expect.stringMatching(message) }),
  );
  expect([...parser.push("Hi"), ...parser.end({ finish: undefined })]).toEqual([{ type: "text", text: "Hi" }]);
});
