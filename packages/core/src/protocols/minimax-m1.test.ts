import { expect, test } from "vitest";
import { pieces } from "../../test/support/pieces.js";
import { escapeText } from "../index.js";

const call = '<tool_calls>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_calls>';

test("the words of a result are text in prose, and a call after them is read", () => {
  const prose = "The tool name: get_weather suits.\ntool name: the tool's.\n";
  for (const protocol of ["minimax-m1", "auto"] as const)
    expect(pieces(prose + call, protocol).filter(([kind]) => kind !== "dropped")).toEqual([
      ["text", prose.trimEnd()],
      ["call", "get_weather"],
    ]);
});

test("the words stay in untrusted text", () => {
  const text = "The tool name: get_weather. Tool name: x.";
  expect(escapeText(text)).toBe(text);
});
