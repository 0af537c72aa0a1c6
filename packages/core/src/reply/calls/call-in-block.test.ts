import { expect, test } from "vitest";
import { type Piece, pieces } from "../../../test/support/pieces.js";
import type { ProtocolName } from "../../index.js";

const python = 'get_weather(city="Oslo")';
const json = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
const weather: Piece = ["call", "get_weather"];

test.each<[ProtocolName, string, string, string]>([
  ["lfm2", "<|tool_call_start|>", python, "<|tool_call_end|>"],
  ["olmo3", "<function_calls>", python, "</function_calls>"],
])("several lists between the markers of %s are read as one", (protocol, open, call, close) => {
  for (const comma of [",", ", ", " ,\n"]) {
    const lists = `${open}[${call}]${comma}[${call}, ${call}]`;
    expect(pieces(`${lists}${close}`, protocol)).toEqual([weather, weather, weather]);
    expect(pieces(lists, protocol)).toEqual([weather, weather, weather]);
  }
  // Other text after the comma is no call.
  expect(pieces(`${open}[${call}], [1]${close}`, protocol).filter(([kind]) => kind === "call")).toHaveLength(1);
});

test.each(["phi4-mini", "auto"] as const)("the word before a list may have a space, or Python after it: %s", (by) => {
  for (const reply of [`functools [${json}]`, `functools[${python}]`]) expect(pieces(reply, by)).toEqual([weather]);
  expect(pieces(`functools [${json}, ${json}]`, by)).toEqual([weather, weather]);
  for (const text of ["The module functools [of Python] is one.", "functools[lru_cache(1)]", "functools [1, 2]"])
    expect(pieces(text, by)).toEqual([["text", text]]);
});
