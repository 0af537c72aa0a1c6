import { describe, expect, test } from "vitest";
import { type Piece, pieces } from "../../test/support/pieces.js";
import { escapeText } from "../index.js";
import type { ProtocolName } from "./index.js";

const ROLE = "-> tool/function_call";
const call = '[{"name": "get_weather", "arguments": {"city": "Oslo"}}]';
const next = "<|im_end|>\n<|im_start|>assistant";
const end = "<|im_end|><|stop|>";

/** The parts without markup and the space around them. */
const parts = (reply: string, protocol: ProtocolName | "auto" = "hyperclova"): Piece[] =>
  pieces(reply, protocol).flatMap(([kind, text]): Piece[] =>
    kind === "dropped" || text.trim() === "" ? [] : [[kind, text.trim()]],
  );

const reasoning: Piece = ["reasoning", "Is it cold?\n\nI look."];
const thought = `/think\n${reasoning[1]}`;
const answer: Piece = ["text", "It is\n5 degrees."];
const weather: Piece = ["call", "get_weather"];

describe("the messages of a reply", () => {
  test.each<[string, string, Piece[]]>([
    ["reasoning, then the answer", `${thought}${next}\n${answer[1]}${end}`, [reasoning, answer]],
    ["reasoning, then calls", `${thought}${next} ${ROLE}\n${call}${end}`, [reasoning, weather]],
    ["text, then calls", `${answer[1]}${next} ${ROLE}\n${call}${end}`, [answer, weather]],
    ["all three", `${thought}${next}\n${answer[1]}${next} ${ROLE}\n${call}${end}`, [reasoning, answer, weather]],
    ["reasoning after a line break", `\n${thought}${next}\n${answer[1]}${end}`, [reasoning, answer]],
    ["reasoning that is cut off", thought, [reasoning]],
    ["no tokens, and the answer", `${thought}\nassistant\n${answer[1]}`, [reasoning, answer]],
    ["no tokens, and calls", `${thought}\nassistant ${ROLE}\n${call}`, [reasoning, weather]],
    [
      "no tokens, and all three",
      `${thought}\nassistant\n${answer[1]}\nassistant ${ROLE}\n${call}`,
      [reasoning, answer, weather],
    ],
    ["no tokens, text and calls", `${answer[1]}\nassistant ${ROLE}\n${call}`, [answer, weather]],
    ["one call that is no list", `${thought}${next} ${ROLE}\n${call.slice(1, -1)}${end}`, [reasoning, weather]],
  ])("%s", (_, reply, wanted) => expect(parts(reply)).toEqual(wanted));

  test("each call in a message of its own", () =>
    expect(parts(`${ROLE}\n${call}${next} ${ROLE}\n${call}${end}`)).toEqual([weather, weather]));

  test("reasoning that the prompt began is followed by the answer", () =>
    expect(parts(`Is it cold?${next}\n5 degrees.${end}`)).toEqual([
      ["text", "Is it cold?"],
      ["text", "5 degrees."],
    ]));

  test("an answer after calls is made up", () =>
    expect(parts(`${ROLE}\n${call}${next}\n${answer[1]}${end}`)).toEqual([weather]));

  test("another's turn is none", () =>
    expect(parts(`${answer[1]}<|im_end|>\n<|im_start|>user\nAnd Rome?${end}`)).toEqual([answer]));
});

describe("its words in prose are text", () => {
  test.each([
    "Write /think\nto make it reason.",
    "The commands are:\n/think\n/no_think",
    `The role is assistant ${ROLE}, without brackets.`,
    `The header ends with ${ROLE}\nand a list follows.`,
  ])("%s", (reply) => {
    for (const protocol of ["hyperclova", "auto", "hermes"] as const)
      expect(pieces(reply, protocol)).toEqual([["text", reply]]);
  });

  test("and the switch for reasoning stays in untrusted text", () =>
    expect(escapeText("/think\nWhy? /think")).toBe("/think\nWhy? /think"));
});
