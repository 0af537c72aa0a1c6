import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Input } from "../notation/input.js";
import { firstMarker } from "./first-marker.js";

/** Reads a text in pieces, and drops all before the markers that may begin; the places in the whole text. */
function placesIn(text: string, pieces: readonly string[], markers: readonly string[]) {
  const input = new Input();
  const found: [string, number, number][] = [];
  for (const [i, piece] of pieces.entries()) {
    input.push(piece);
    if (i === pieces.length - 1) input.final = true;
    for (;;) {
      const { marker, at, end } = firstMarker(input, markers);
      input.pos = end < 0 ? at : end;
      if (end < 0) break;
      found.push([marker, input.place(at), input.place(end)]);
    }
  }
  expect(input.place(input.pos)).toBe(text.length);
  return found;
}

describe("the first of some markers", () => {
  test("is the nearest one, in any pieces", () => {
    const part = fc.constantFrom(
      "</think>",
      "</thi",
      "nk>",
      "<|end|>",
      "<|",
      "end|>",
      " ",
      "a",
      "</think >",
      "<",
      "|>",
    );
    const markers = ["</think>", "<|end|>"];
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const wanted = [...text.matchAll(/<\/think\s*>|<\|end\|>/g)].map(({ 0: found, index }) => [
          found.startsWith("<|") ? "<|end|>" : "</think>",
          index,
          index + found.length,
        ]);
        expect(placesIn(text, [text, ""], markers)).toEqual(wanted);
        expect(placesIn(text, [...parts, ""], markers)).toEqual(wanted);
        expect(placesIn(text, [...text, ""], markers)).toEqual(wanted);
      }),
      { numRuns: 300 },
    );
  });

  test("is where one may begin if none is there", () => {
    const input = new Input();
    input.push("ab</thi");
    expect(firstMarker(input, ["</think>", "<|end|>"])).toMatchObject({ marker: "</think>", at: 2, end: -1 });
    input.final = true;
    expect(firstMarker(input, ["</think>"])).toMatchObject({ at: 7, end: -1 });
    expect(firstMarker(input, [])).toEqual({ marker: "", at: 7, end: -1 });
  });

  test("is searched for again where the position is before the last search or after its result", () => {
    const input = new Input();
    input.push("a<x>b<x>c");
    const next = (pos: number) => {
      input.pos = pos;
      return firstMarker(input, ["<x>"]).at;
    };
    expect([next(2), next(0), next(1), next(6)]).toEqual([5, 1, 1, 9]);
  });

  test("is found in one pass over a long text, whatever the number of other markers", { timeout: 5000 }, () => {
    const input = new Input();
    input.push(`${"<a>".repeat(50_000)}<b>`);
    for (let count = 0; count < 50_000; count++) {
      const { end } = firstMarker(input, ["<a>", "<b>", "<c>"]);
      input.pos = end;
    }
    expect(firstMarker(input, ["<a>", "<b>", "<c>"]).marker).toBe("<b>");
  });
});
