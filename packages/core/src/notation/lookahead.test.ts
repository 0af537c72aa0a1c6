import { describe, expect, test } from "vitest";
import { Input } from "./input.js";
import { decide, Lookahead } from "./lookahead.js";

const ahead = (text: string, final = false, limit?: number) => new Lookahead({ text, final }, limit);

describe("a look-ahead", () => {
  test("answers as if the text ended here, and reports that more could change the answer", () => {
    const look = ahead("</para");
    expect(look.has("</parameter>", 0)).toBe(false);
    expect(look.hitEnd).toBe(true);
  });

  test("waits for nothing that the text excludes", () => {
    const look = ahead("</parts");
    expect(look.has("</parameter>", 0)).toBe(false);
    expect(look.hitEnd).toBe(false);
  });

  test("waits for nothing after the end of the reply, although a marker may be truncated", () => {
    const look = ahead("</para", true);
    expect(look.has("</parameter>", 0)).toBe(false);
    expect(look.hitEnd).toBe(false);
    expect(look.isCut).toBe(true);
  });

  test("waits for nothing after its limit", () => {
    expect(ahead("ab", false, 2).charAt(2)).toBe("");
    const near = ahead("abc", false, 2);
    expect(near.charAt(2)).toBe("");
    expect(near.hitEnd).toBe(false);
    const far = ahead("abc", false, 4);
    expect(far.charAt(3)).toBe("");
    expect(far.hitEnd).toBe(true);
  });

  test("finds a certain match, even if others are open", () => {
    const look = ahead("</a>");
    expect(look.find(["</a></b>", "</a>"], (marker) => look.has(marker, 0))).toBe("</a>");
    expect(look.hitEnd).toBe(false);
  });

  test("keeps an earlier hitEnd", () => {
    const look = ahead("</a>");
    look.has("</a></b>", 0);
    expect(look.any(() => look.has("</a>", 0))).toBe(true);
    expect(look.hitEnd).toBe(true);
  });

  test("waits if the only match depends on more text", () => {
    const look = ahead("a");
    expect(look.any(() => look.endsAt(1))).toBe(true);
    expect(look.hitEnd).toBe(true);
  });
});

describe("a decision", () => {
  const closer = "</call>";
  /** What is done at the beginning of a text that comes character by character. */
  const done = (text: string) => {
    const input = new Input();
    const steps: string[] = [];
    for (const character of [...text, undefined]) {
      if (character === undefined) input.final = true;
      else input.push(character);
      const step = decide(input, (look) => (look.has(closer, 0) ? () => "end" : () => "text"));
      steps.push(step);
      if (step !== "more") break;
    }
    return steps;
  };

  test("acts once no more input could change it", () => {
    expect(done(closer)).toEqual([...Array(closer.length - 1).fill("more"), "end"]);
    expect(done("</cat>")).toEqual(["more", "more", "more", "more", "text"]);
    expect(done("text")).toEqual(["text"]);
  });

  test("acts at the end of the reply", () => {
    expect(done("</")).toEqual(["more", "more", "text"]);
  });
});
