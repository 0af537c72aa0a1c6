import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StopSequences } from "./stop-sequences.js";

function run(stops: readonly string[], pieces: readonly string[]) {
  const finder = new StopSequences(stops);
  let text = "";
  for (const piece of pieces) {
    const cut = finder.push(piece);
    text += cut.text;
    if (cut.stopped) return { text, stopped: true };
  }
  return { text: text + finder.end(), stopped: false };
}

const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "🙂", "🙃"), maxLength: 12 });
const stops = fc.array(letters, { maxLength: 4 });

describe("StopSequences", () => {
  it("emits the same text for any chunks", () => {
    fc.assert(
      fc.property(stops, letters, (stops, text) => {
        expect(run(stops, [...text])).toEqual(run(stops, [text]));
      }),
    );
  });

  it("ends before the first complete stop sequence, and emits no part of it", () => {
    fc.assert(
      fc.property(stops, letters, (stops, text) => {
        const { text: seen, stopped } = run(stops, [...text]);
        const met = stops.filter((stop) => stop !== "" && text.includes(stop));
        expect(stopped).toBe(met.length > 0);
        expect(text.startsWith(seen)).toBe(true);
        if (!stopped) expect(seen).toBe(text);
        else expect(met.some((stop) => text.startsWith(stop, seen.length))).toBe(true);
        for (const stop of met) expect(seen).not.toContain(stop);
        expect(seen).not.toMatch(/\p{Surrogate}/u); // half a pair
      }),
    );
  });

  it("buffers only text that may begin a stop sequence", () => {
    const finder = new StopSequences(["</tool_call>"]);
    expect(finder.push("a < b </to")).toEqual({ text: "a < b ", stopped: false });
    expect(finder.push("p>")).toEqual({ text: "</top>", stopped: false });
    expect(finder.push("</tool_call")).toEqual({ text: "", stopped: false });
    expect(finder.end()).toBe("</tool_call");
  });

  it("finds a sequence in linear time after much text that may begin another", { timeout: 10_000 }, () => {
    const text = "a".repeat(300_000);
    const pieces = text.match(/.{1,5}/g)!;
    const long = `${"a".repeat(1_000_000)}b`;
    expect(run([long, "aab"], pieces)).toEqual({ text, stopped: false });
    expect(run([long, "aab"], [...pieces, "b"])).toEqual({ text: text.slice(2), stopped: true });
    expect(run(["aaab", "c"], pieces)).toEqual({ text, stopped: false });
  });

  it("emits all text at once without stop sequences, and with empty ones", () => {
    expect(run([], ["abc"])).toEqual({ text: "abc", stopped: false });
    expect(run([""], ["abc"])).toEqual({ text: "abc", stopped: false });
  });
});
