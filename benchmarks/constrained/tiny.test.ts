import { afterAll, beforeAll, expect, test } from "vitest";
import { constrainedProtocols, loadTinyModel, tinyReply } from "./tiny.mjs";

// The short form of `run.mjs tiny`: seeds over all sets of tools, for every protocol that has a grammar.

let model: Awaited<ReturnType<typeof loadTinyModel>>;
beforeAll(async () => {
  model = await loadTinyModel();
});
afterAll(() => model?.dispose());

test("every format but YAML has a grammar", () => {
  expect(constrainedProtocols.length).toBeGreaterThan(40);
});

test.each(constrainedProtocols.map((name, i) => [name, i] as const))(
  "%s: a model that knows nothing writes valid calls under the grammar, and none without",
  async (name, i) => {
    for (const seed of [i, i + 7, i + 14]) {
      const { wrong, finish } = await tinyReply(model.engine, name, seed, true);
      if (finish === "stop") expect([seed, wrong]).toEqual([seed, undefined]);
    }
    expect((await tinyReply(model.engine, name, i, false)).wrong).toBeDefined();
  },
);
