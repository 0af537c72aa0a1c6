import { expect, test } from "vitest";
import { parseReply } from "../index.js";

const call = '<tool_call>{"name": "now", "arguments": {}}</tool_call>';
const reply = parseReply(call.repeat(2000), { protocol: "hermes" });
const ids = reply.toolCalls.map(({ id }) => id);

test("a call's id is `call_` and 24 letters and digits, and no two calls share one", () => {
  for (const id of ids) expect(id).toMatch(/^call_[A-Za-z0-9]{24}$/);
  expect(new Set(ids).size).toBe(2000);
});

test("every letter and digit occurs at every place of an id", () => {
  for (let place = 5; place < 29; place++) expect(new Set(ids.map((id) => id.charAt(place))).size).toBe(62);
});
