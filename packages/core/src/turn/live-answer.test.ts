import { expect, test } from "vitest";
import { LiveAnswer } from "./live-answer.js";

test("text after an answer with a list is dropped", () => {
  const schema = { type: "object", properties: { list: { type: "array", items: { type: "integer" } } } };
  const answer = new LiveAnswer(schema);
  const on = (text: string) => [answer.on({ type: "text", text })].flat();
  expect(on('{"list": [1, 2]}').length).toBeGreaterThan(0);
  expect(on(" Done.")).toEqual([{ type: "dropped", text: " Done.", reason: "after the answer" }]);
  expect(answer.end()).toEqual([]);
});
