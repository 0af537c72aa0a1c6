import { expect, test } from "vitest";
import { getProtocol } from "./index.js";

test("the ids of calls and results have ten characters, also after the tenth", () => {
  const { renderCalls, renderResults } = getProtocol("solar-open");
  const twelve = Array.from({ length: 12 }, (_, i) => i);
  const calls = renderCalls(
    twelve.map(() => ({ name: "now", arguments: {} })),
    { tools: [] },
  );
  const results = renderResults(
    twelve.map((i) => ({ toolCallId: `${i}`, name: "now", content: "x" })),
    { tools: [] },
  );
  const ids = (text: string, marker: string) =>
    [...text.matchAll(new RegExp(`<\\|${marker}:begin\\|>(.*?)<\\|`, "g"))].map(([, id]) => id);
  expect(ids(calls, "tool_call")).toEqual(twelve.map((i) => `call${`${i}`.padStart(6, "0")}`));
  expect(ids(results, "tool_response")).toEqual(ids(calls, "tool_call"));
});
