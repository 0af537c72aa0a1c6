import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { untilStop } from "./until-stop.js";

async function run(pieces: string[], stop: string[]) {
  let closed = false;
  async function* source() {
    try {
      yield* pieces;
    } finally {
      closed = true;
    }
  }
  let text = "";
  for await (const piece of untilStop(source(), stop)) text += piece;
  return { text, closed };
}

describe("untilStop", () => {
  it("gives the text before the first stop sequence, however it is cut up, and closes the source", async () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "<"), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(letters),
        fc.array(
          letters.filter((s) => s !== ""),
          { maxLength: 3 },
        ),
        async (pieces, stop) => {
          const whole = pieces.join("");
          const ends = stop.map((sequence) => whole.indexOf(sequence)).filter((at) => at !== -1);
          expect(await run(pieces, stop)).toEqual({
            text: whole.slice(0, Math.min(whole.length, ...ends)),
            closed: true,
          });
        },
      ),
    );
  });

  it("holds back only what may begin a stop sequence", async () => {
    async function* source() {
      yield "abc<s";
      yield "ay>";
    }
    const pieces: string[] = [];
    for await (const piece of untilStop(source(), ["<stop>"])) pieces.push(piece);
    expect(pieces).toEqual(["abc", "<say>"]);
  });
});
