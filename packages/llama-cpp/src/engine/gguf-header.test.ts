import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeTinyModel } from "../tiny-model/index.js";
import { LlamaCppEngine } from "./engine.js";
import { whyNoGguf } from "./gguf-header.js";

let folder: string;
let path: string;
let whole: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-gguf-"));
  path = join(folder, "tiny.gguf");
  await writeTinyModel(path, { kind: "random" });
  whole = await readFile(path);
});
afterAll(() => rm(folder, { recursive: true }));

const reasonOf = async (bytes: Uint8Array) => {
  await writeFile(join(folder, "broken.gguf"), bytes);
  return whyNoGguf(join(folder, "broken.gguf"));
};
const header = (version: number, tensors: bigint, entries: bigint) => {
  const bytes = Buffer.alloc(24);
  bytes.write("GGUF");
  bytes.writeUInt32LE(version, 4);
  bytes.writeBigUInt64LE(tensors, 8);
  bytes.writeBigUInt64LE(entries, 16);
  return bytes;
};

describe("the header of a GGUF", () => {
  it("of a complete model is accepted", async () => {
    expect(await whyNoGguf(path)).toBeUndefined();
  });

  it("is refused if it is truncated anywhere", async () => {
    const lengths = [0, 1, 4, 8, 16, 24, 40, 100, 1_000, Math.floor(whole.length / 4)];
    for (const length of lengths) expect(await reasonOf(whole.subarray(0, length))).toBeDefined();
  });

  it("is refused if it declares impossible sizes", async () => {
    for (const [bytes, why] of [
      [Buffer.from("GGUF\x03\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", "latin1"), /cut off|room/],
      [Buffer.from("GGUF\x03\0\0\0\0\0\0\0\0\0\0\0", "latin1"), /cut off/],
      [header(3, 2n ** 63n, 1n), /room/],
      [header(3, 1n, 2n ** 40n), /room/],
      [header(1, 1n, 1n), /version 1/],
      [header(0x03000000, 1n, 1n), /version/],
      [header(3, 0n, 0n), /no tensors/],
      [Buffer.concat([header(3, 1n, 0n), Buffer.alloc(100)]), /which architecture/],
      [Buffer.from("PK\x03\x04 a wheel"), /begins with "PK/],
    ] as const)
      expect(await reasonOf(bytes)).toMatch(why);
  });

  it("of random bytes is refused, or complete", async () => {
    const bytes = fc.uint8Array({ maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(bytes, async (random) => {
        expect(await reasonOf(Buffer.concat([Buffer.from("GGUF\x03\0\0\0", "latin1"), random]))).toBeDefined();
      }),
      { numRuns: 50 },
    );
    // Changes single bytes of a real file: it is read to the end or rejected, and reading always ends.
    const place = fc.nat({ max: Math.min(whole.length, 20_000) - 1 });
    await fc.assert(
      fc.asyncProperty(place, fc.nat({ max: 255 }), async (at, value) => {
        const changed = Buffer.from(whole);
        changed[at] = value;
        await reasonOf(changed);
      }),
      { numRuns: 50 },
    );
  });

  it.each<[object | undefined, RegExp]>([
    [undefined, /must be an object/],
    [{}, /`modelPath` is missing/],
    [{ modelPath: 5 }, /`modelPath` is the path of a GGUF file/],
    [{ modelPath: "m.gguf", contextsize: 1 }, /Did you mean "contextSize"/],
    [{ modelPath: "m.gguf", sequences: 0 }, /`sequences` is/],
    [{ modelPath: "m.gguf", chatTemplate: 5 }, /`chatTemplate` is/],
  ])("is not read with wrong options: %j", async (options, words) => {
    await expect(LlamaCppEngine.load(options as never)).rejects.toMatchObject({
      code: "bad-option",
      message: expect.stringMatching(words),
    });
  });

  it("is read with a signal of another realm", async () => {
    const signal = { aborted: false, throwIfAborted() {}, addEventListener() {}, removeEventListener() {} };
    const loading = LlamaCppEngine.load({ modelPath: join(folder, "none.gguf"), signal: signal as never });
    await expect(loading).rejects.toMatchObject({ code: "model-not-found" });
  });

  it("is checked before the file is loaded", async () => {
    await writeFile(join(folder, "short.gguf"), header(3, 1n, 1n).subarray(0, 16));
    await expect(LlamaCppEngine.load({ modelPath: join(folder, "short.gguf") })).rejects.toMatchObject({
      code: "not-a-model",
      message: expect.stringMatching(/cut off|room/),
    });
  });
});
