import { expect, test } from "vitest";
import { explainReply } from "../src/reply/explain-reply.js";

// More characters than a list can have items: the process would end, and no error would say why.
test("explains a reply of 140 million characters whose text begins after white space", () => {
  const text = "a".repeat(140_000_000);
  const parts = explainReply(`<think>hm</think>\n\n ${text}`, {});
  expect(parts.map(({ became }) => became)).toEqual(["markup", "reasoning", "markup", "text"]);
  expect(parts.at(-1)?.source.length).toBeGreaterThanOrEqual(text.length);
});
