import { expect, test } from "vitest";
import { hashPml } from "../src/index.js";

test("texts that differ only outside XML have no hash", async () => {
  const hash = (text: string) => hashPml({ version: "1", memory: [{ type: "fact", text }] });
  for (const text of ["\u0000", "\u0001"]) {
    await expect(hash(text)).rejects.toThrow(expect.objectContaining({ code: "bad-tree", path: "/memory/0/text" }));
  }
  expect(await hash("a")).not.toBe(await hash("b"));
});
