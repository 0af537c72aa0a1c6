import { describe, expect, test } from "vitest";
import { type Piece, pieces } from "../../../test/support/pieces.js";
import type { ProtocolName } from "../../index.js";
import { turnsAfterCalls } from "../forms/end-tokens.js";

const call = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
const weather: Piece = ["call", "get_weather"];

/** The parts of a reply that are not dropped. */
const shown = (reply: string, protocol: ProtocolName) => pieces(reply, protocol).filter(([kind]) => kind !== "dropped");

describe.each(turnsAfterCalls.map(({ open }) => open))("a turn that begins with %s", (token) => {
  test("directly after a call is dropped with all that follows", () => {
    for (const between of ["", "\n", "\n<|im_end|>\n"])
      expect(shown(`${call}${between}${token}\nIt is 7.\n<|assistant|>\nIt is warm.`, "hermes")).toEqual([weather]);
  });

  test("elsewhere is dropped at the end of the reply, and text in a sentence", () => {
    expect(shown(`It is warm.${token}`, "hermes")).toEqual([["text", "It is warm."]]);
    expect(shown(`${call}\nIt is warm.${token}`, "hermes")).toEqual([weather, ["text", "It is warm."]]);
    for (const sentence of [`The token ${token} begins a turn.`, `Then ${token} follows.`])
      for (const before of [[], [weather]] satisfies Piece[][])
        expect(shown(`${before.length > 0 ? `${call}\n` : ""}${sentence}`, "hermes")).toEqual([
          ...before,
          ["text", sentence],
        ]);
  });
});

test.each<[ProtocolName, string]>([
  ["internlm2", '<|action_start|><|plugin|>{"name": "get_weather", "parameters": {"city": "Oslo"}}<|action_end|>'],
  ["functionary", '<function=get_weather>{"city": "Oslo"}</function>'],
])("a turn with a role after a call of a block is none of its calls: %s", (protocol, written) => {
  for (const role of ["environment name=<|plugin|>", "user", "tool"])
    expect(shown(`${written}\n<|im_start|>${role}\n{"warm": true}<|im_end|>`, protocol)).toEqual([weather]);
});
