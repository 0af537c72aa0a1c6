import { describe, expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { opensWithinLine, sentenceGoesOn } from "./sentence.js";

describe("a sentence continues after a marker", () => {
  /** Whether it does after a marker at the beginning of a text. */
  function goesOn(marker: string, rest: string, { final = true, isOwn = false } = {}): boolean | "more" {
    const look = new Lookahead({ text: marker + rest, final });
    const answer = sentenceGoesOn(look, marker, marker.length, isOwn);
    return look.hitEnd ? "more" : answer;
  }

  test.each([
    ["<call>", " to call it"],
    ["<call>", " works."],
    ["<call>", ". Then"],
    ["<call>", ", which"],
    ["<call>", "."],
    ["<function=", "run> to run it"],
    ["<invoke", ' name="run"> to run it'],
    ["[CALL]", " is it"],
    ["<function=", "run> and <parameter=cmd> to run it"],
    ["<invoke", ' name="run"> and <parameter name="cmd">.'],
  ])("%s%s", (marker, rest) => expect(goesOn(marker, rest)).toBe(true));

  test.each([
    ["<call>", ""],
    ["<call>", " word"],
    ["<call>", "word goes on"],
    ["<call>", "\nto call it"],
    ["<call>", ' {"name"'],
    ["<call>", " to call [1]"],
    ["<call>", ' to call a="1"'],
    ["<call>", " 3 of them"],
    ["<call>", ".x"],
    ["<function=", "run"],
    ["<function=", "run <b> to"],
    ["<function=", "run> and <parameter=cmd>"],
    ["<function=", "run> and <parameter=cmd>ls"],
    ["<function=", "run> <parameter=cmd> to run"],
    ["<invoke", ' name="run" a="1"> to run it'],
  ])("not %s%s", (marker, rest) => expect(goesOn(marker, rest)).toBe(false));

  test("unless a broken call of the requested format has its closing tag there", () => {
    expect(goesOn("<call>", " to call </call>")).toBe(true);
    expect(goesOn("<call>", " to call </call>", { isOwn: true })).toBe(false);
  });

  test.each([
    ["<call>", ""],
    ["<call>", " to call it"],
    ["<function=", "ru"],
  ])("perhaps where the line does not end: %s%s", (marker, rest) =>
    expect(goesOn(marker, rest, { final: false })).toBe("more"),
  );

  test("is known at the end of the line, and after a limit", () => {
    expect(goesOn("<call>", " to call it\n", { final: false })).toBe(true);
    expect(goesOn("<call>", ` to call ${"it ".repeat(60)}`, { final: false })).toBe(true);
    expect(goesOn("<function=", "x".repeat(130), { final: false })).toBe(false);
    expect(goesOn("<function=", "run<", { final: false })).toBe(false);
  });
});

describe("the tag of reasoning within a line opens it", () => {
  function opens(before: string, rest: string, final = true): boolean | "more" {
    const look = new Lookahead({ text: before + rest, final });
    const answer = opensWithinLine(look, /.{0,3}\s*$/u.exec(before)![0], before.length);
    return look.hitEnd ? "more" : answer;
  }

  test.each([
    ["I will look.", "Oslo"],
    ["Oslo? ", "Yes"],
    ["我看看。", "奥斯陆"],
    ["The tag", "\nOslo"],
    ["The tag", "  \n"],
  ])("after %j before %j", (before, rest) => expect(opens(before, rest)).toBe(true));

  test.each([
    ["The tag", "Oslo"],
    ["I will look.", " opens it"],
    ["I will look.", "</think>"],
    ["In step 2.", "Oslo"],
    ["e.g.", "Oslo"],
    ["I will look.", ""],
  ])("not after %j before %j", (before, rest) => expect(opens(before, rest)).toBe(false));

  test("perhaps where the text ends", () => {
    expect([
      opens("Look.", "", false),
      opens("Look.", "  ", false),
      opens("Look.", "O", false),
      opens("Look.", "\n", false),
    ]).toEqual(["more", "more", true, true]);
    expect(opens("Look.", " ".repeat(64), false)).toBe(false);
  });
});
