import { describe, expect, test } from "vitest";
import { type Piece, pieces } from "../../../test/support/pieces.js";
import { getProtocol, type ProtocolName, protocols } from "../../index.js";
import { literals } from "../../syntax/tokens.js";

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

const names = Object.keys(protocols) as ProtocolName[];

const written = (name: ProtocolName, cities: readonly string[]) =>
  getProtocol(name).renderCalls(
    cities.map((city) => ({ name: "get_weather", arguments: { city } })),
    { tools: [] },
  );

/** The formats whose last marker ends a block, and that marker. */
const blocks = names.flatMap((name) => {
  const { block } = getProtocol(name).syntax;
  const close = literals(block?.close ?? "").at(-1)?.text ?? "";
  return close.length > 1 ? [{ name, close }] : [];
});

describe("the last marker of a block", () => {
  test.each(blocks)(
    "of $name leaves no text where it is cut off at the end of the reply: $close",
    ({ name, close }) => {
      const whole = written(name, ["Oslo"]).trimEnd();
      for (let end = 1; end < close.length; end++) {
        const [call, dropped, ...others] = pieces(whole.slice(0, end - close.length), name);
        expect([call, dropped?.[0], others]).toEqual([["call", "get_weather"], "dropped", []]);
        expect(dropped?.[1].endsWith(close.slice(0, end))).toBe(true);
      }
    },
  );
});

describe("a comma or semicolon between two calls", () => {
  const parallel = names.filter((name) => getProtocol(name).syntax.parallel && name !== "at-command");
  test.each(parallel)("leaves no text in %s", (name) => {
    for (const separator of [", ", ",\n", ";", " ;\n"]) {
      const found = pieces(written(name, ["Oslo"]) + separator + written(name, ["Rome"]), name);
      expect(found.filter(([kind]) => kind !== "dropped")).toEqual([
        ["call", "get_weather"],
        ["call", "get_weather"],
      ]);
    }
  });

  test("leaves no text between the markers of a block", () => {
    const both = written("kimi-k2", ["Oslo", "Rome"]).replaceAll("<|tool_call_end|>", "<|tool_call_end|>;");
    expect(pieces(both, "kimi-k2")).toEqual([
      ["call", "get_weather"],
      ["call", "get_weather"],
    ]);
  });

  test.each([", and then I wait.", "; it is warm", ",", ";"])("is text where no call follows: %j", (text) =>
    expect(pieces(written("hermes", ["Oslo"]) + text, "hermes")).toEqual([
      ["call", "get_weather"],
      ["text", text],
    ]),
  );
});
