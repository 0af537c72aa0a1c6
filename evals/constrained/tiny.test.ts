import { afterAll, beforeAll, expect, test } from "vitest";
import { constrainedProtocols, judge, loadTinyModel, tinyJob, tinyReply } from "./tiny.mjs";

// The short form of `run.mjs tiny`: seeds over all sets of tools, for every protocol that has a grammar.

let model: Awaited<ReturnType<typeof loadTinyModel>>;
beforeAll(async () => {
  model = await loadTinyModel();
});
afterAll(() => model?.dispose());

/** Undefined where the format cannot write the tools of this seed. */
async function replyTo(name: string, seed: number, constrained: boolean) {
  const job = tinyJob(name, seed, constrained);
  return job && (await tinyReply(model.engine, job));
}

test("every format but YAML has a grammar", () => {
  expect(constrainedProtocols.length).toBeGreaterThan(40);
});

test.each(constrainedProtocols.map((name, i) => [name, i] as const))(
  "%s: a model that knows nothing writes valid calls under the grammar, and none without",
  async (name, i) => {
    for (const seed of [i, i + 7]) {
      const reply = await replyTo(name, seed, true);
      if (reply?.finish === "stop") expect([seed, judge(reply).wrong]).toEqual([seed, undefined]);
    }
    const free = await replyTo(name, i, false);
    if (free) expect(judge(free).wrong).toBeDefined();
  },
);
