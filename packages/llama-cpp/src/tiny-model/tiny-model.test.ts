import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { learnBpe } from "./bpe.js";
import { toolCallCorpus } from "./corpus.js";
import { writeTinyModel } from "./index.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-tiny-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("writeTinyModel", () => {
  it.each(["bigram", "random"] as const)("writes the same %s model for the same options", async (kind) => {
    await writeTinyModel(join(folder, "a.gguf"), { kind, seed: 4 });
    await writeTinyModel(join(folder, "b.gguf"), { kind, seed: 4 });
    await writeTinyModel(join(folder, "c.gguf"), { kind, seed: 5 });
    const [a, b, c] = await Promise.all(["a", "b", "c"].map((name) => readFile(join(folder, `${name}.gguf`))));
    expect(a!.subarray(0, 4).toString()).toBe("GGUF");
    expect(a!.equals(b!)).toBe(true);
    expect(a!.equals(c!)).toBe(false);
  });

  it("leaves no file if the file cannot be written", async () => {
    await expect(writeTinyModel(join(folder, "missing", "x.gguf"))).rejects.toThrow("ENOENT");
    expect((await readdir(folder)).filter((name) => name.endsWith(".part"))).toEqual([]);
  });
});

describe("the tiny vocabulary", () => {
  const special = { control: ["<|end|>"], markup: ["<tool_call>"] };
  const bpe = learnBpe(toolCallCorpus(), 600, special);
  const bytes = new Map(bpe.tokens.slice(0, 256).map((token, byte) => [token, byte]));
  const decode = (ids: readonly number[]) =>
    Buffer.concat(
      ids.map((id) => {
        const token = bpe.tokens[id]!;
        return [...special.control, ...special.markup].includes(token)
          ? Buffer.from(token)
          : Buffer.from(Array.from(token, (character) => bytes.get(character)!));
      }),
    ).toString();

  it("represents any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.constantFrom("", "<tool_call>", "<|end|>"), (text, markup) => {
        const whole = text + markup + text;
        expect(decode(bpe.encode(whole))).toBe(whole);
      }),
    );
  });

  it("has tokens that span the punctuation of JSON", () => {
    expect(bpe.encode('{"name":"get_time"').length).toBeLessThan(9);
    expect(bpe.encode("<tool_call>")).toHaveLength(1);
  });

  it("marks tokens that are only a part of a character", () => {
    const partial = bpe.tokens.map((_, id) => id).filter((id) => bpe.isPartial(id));
    expect(partial.length).toBeGreaterThanOrEqual(128);
    for (const id of partial) expect(decode([id])).toContain("\uFFFD");
  });
});
