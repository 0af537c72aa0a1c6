import { expect, test } from "vitest";
import type { Part, Piece } from "./parts.js";
import { TextStops } from "./text-stops.js";

test.each([
  [["ENDING", "END"], "END"],
  [["END", "ENDING"], "END"],
  [["ENDING", "EN", "END"], "EN"],
])("of the sequences %j at one place, the first that is complete ends the text", (stops, met) => {
  const part: Part = { type: "text", index: 0, text: "" };
  const read = new TextStops(stops, [part]);
  const pieces: Piece[] = read.on([
    { type: "open", part },
    { type: "delta", part, text: "The ENDING." },
  ]);
  expect(read.met).toBe(met);
  expect(pieces.flatMap((piece) => (piece.type === "delta" ? [piece.text] : []))).toEqual(["The "]);
});

test("a text that begins with a sequence is no part; the parts before it stay", () => {
  const thought: Part = { type: "reasoning", index: 0, text: "Hm." };
  const part: Part = { type: "text", index: 1, text: "" };
  const list = [thought, part];
  const read = new TextStops(["END"], list);
  const pieces = read.on([
    { type: "open", part },
    { type: "delta", part, text: "END." },
  ]);
  expect([list, pieces]).toEqual([[thought], []]);
});
