import fc from "fast-check";
import { expect, test } from "vitest";
import { createPmlReader, hashPml, type PmlEvent } from "../src/index.js";

test("the events before an error, and the error, do not depend on the pieces (property)", () => {
  const wrong = "<memory>\n<fact>a</fact><fact>b</fact><fakt/></memory>";
  const read = (pieces: readonly string[]) => {
    const reader = createPmlReader();
    const events: PmlEvent[] = [];
    try {
      for (const piece of pieces) events.push(...reader.push(piece));
      events.push(...reader.end());
    } catch (error) {
      return { events, error: String(error) };
    }
    return { events, error: undefined };
  };
  const whole = read([wrong]);
  expect(whole.events.map(({ type }) => type)).toEqual(["memory", "memory-item", "memory-item"]);
  expect(whole.error).toContain("2:29: <fakt> cannot stand in <memory>");
  fc.assert(
    fc.property(fc.array(fc.nat(wrong.length), { maxLength: 6 }), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), wrong.length];
      expect(read(at.slice(1).map((to, i) => wrong.slice(at[i], to)))).toEqual(whole);
    }),
  );
});

test("texts that are alike only in XML have no hash", async () => {
  const hash = (text: string) => hashPml({ version: "1", memory: [{ type: "fact", text }] });
  for (const text of ["\u0000", "\u0001"]) {
    await expect(hash(text)).rejects.toThrow(expect.objectContaining({ code: "bad-tree", path: "/memory/0/text" }));
  }
  expect(await hash("a")).not.toBe(await hash("b"));
});
