import { describe, expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { beginTokens, endTokens } from "../../syntax/turn-tokens.js";
import { turnEnd, turnIsOver } from "./turn-end.js";

function ask<Answer>(text: string, question: (look: Lookahead, at: number) => Answer, final = true): Answer | "more" {
  const look = new Lookahead({ text: `x${text}`, final });
  const answer = question(look, 1);
  return look.hitEnd ? "more" : answer;
}

describe("the tokens that end a turn", () => {
  test("end with the space after each", () => {
    for (const token of endTokens) expect(ask(`${token} \n${token}\nYes`, turnEnd)).toBe(token.length * 2 + 4);
    expect([ask("", turnEnd), ask("Yes", turnEnd), ask(" </s>", turnEnd)]).toEqual([1, 1, 1]);
  });

  test("are no more than a few, with no more space than the look-ahead covers", () => {
    expect([ask("</s>".repeat(7), turnEnd), ask("</s>".repeat(8), turnEnd)]).toEqual([29, undefined]);
    expect([ask(`</s>${" ".repeat(64)}x`, turnEnd), ask(`</s>${" ".repeat(65)}x`, turnEnd)]).toEqual([69, undefined]);
  });

  test("may go on where the text ends", () =>
    expect([ask("</s>", turnEnd, false), ask("</", turnEnd, false)]).toEqual(["more", "more"]));
});

describe("the turn is over", () => {
  test("where the reply ends or another turn begins, after tokens that end it or without any", () => {
    for (const token of beginTokens)
      expect([ask(`</s>\n${token}user`, turnIsOver), ask(token, turnIsOver)]).toEqual([true, true]);
    expect([ask("", turnIsOver), ask("<|im_end|>\n", turnIsOver), ask("</s>".repeat(8), turnIsOver)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("not before text", () =>
    expect([ask("</s> Yes", turnIsOver), ask("Yes", turnIsOver), ask("\n", turnIsOver)]).toEqual([
      false,
      false,
      false,
    ]));

  test("perhaps where the text ends", () =>
    expect([ask("", turnIsOver, false), ask("</s>", turnIsOver, false), ask("<|im_st", turnIsOver, false)]).toEqual([
      "more",
      "more",
      "more",
    ]));
});
