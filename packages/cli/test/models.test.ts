import { mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listModels, MODELS } from "@toolingua/llama-cpp";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { scores } from "../src/models/scores.js";
import { cli } from "./support/cli.js";

const benchmarks = new URL("../../../evals/accuracy/", import.meta.url);
const name = "smollm2-135m";
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-models-"));
  vi.stubEnv("TOOLINGUA_CACHE", folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** A file of the model's size in its place: what the cache takes for the model. */
async function placed(): Promise<string> {
  const model = (await listModels()).find((one) => one.name === name);
  if (!model) throw new Error(`There is no ${name}.`);
  await mkdir(dirname(model.path), { recursive: true });
  await writeFile(model.path, "");
  await truncate(model.path, model.bytes);
  return model.path;
}

describe("toolingua models", () => {
  test("lists all with size, licence, context and scores, and marks the downloaded ones", async () => {
    await placed();
    const { code, stdout } = await cli(["models", "--json"]);
    expect(code).toBe(0);
    const all = JSON.parse(stdout);
    expect(all.map((model: { name: string }) => model.name)).toEqual(MODELS.map((model) => model.name));
    const found = all.find((model: { name: string }) => model.name === name);
    expect(found).toMatchObject({ isCached: true, license: "Apache-2.0", contextLength: 8192, score: scores[name] });
    const { stdout: table } = await cli(["models", "list"]);
    expect(table).toMatch(/smollm2-135m +here +98 MB +8192 +62 of 174 +Apache-2.0/);
    expect(table).toMatch(/gemma3-270m +- +253 MB +32768 +28 of 120 +Gemma Terms of Use/);
  });

  test("shows the scores of evals/accuracy", async () => {
    const { rows, date } = JSON.parse(await readFile(new URL("results-required.json", benchmarks), "utf8"));
    const measured = Object.entries(scores).map(([model, { way }]) => {
      const cells = rows.filter((row: { model: string; cell: string }) => row.model === model && row.cell === way);
      const sum = (key: string) => cells.reduce((total: number, row: Record<string, number>) => total + row[key]!, 0);
      return [model, { right: sum("right"), questions: sum("count"), way, date }];
    });
    expect(scores).toEqual(Object.fromEntries(measured));
  });

  test("does not pull a downloaded model again, and prints its place", async () => {
    const path = await placed();
    const { code, stdout, stderr } = await cli(["models", "pull", name]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${path}\n` });
    expect(stderr).toContain("It was here already.");
    const { stdout: json } = await cli(["models", "pull", name, "--json"]);
    expect(JSON.parse(json)).toMatchObject({ name, path, source: "cache", bytes: 98_362_432 });
  });

  test("removes a model, once", async () => {
    const path = await placed();
    expect(JSON.parse((await cli(["models", "remove", name, "--json"])).stdout)).toEqual({ name, removed: true });
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
    expect(await cli(["models", "rm", name])).toEqual({ code: 0, stdout: "", stderr: `${name} was not here.\n` });
  });

  test.each([
    [["models", "pull", "smolm2"], 70, "names known are"],
    [["models", "remove", "smolm2"], 70, "names known are"],
    [["models", "pul"], 64, 'There is no command "models pul". Did you mean "pull"?'],
  ])("explains what is wrong with %j", async (argv, code, message) => {
    const run = await cli(argv);
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(message);
  });
});
