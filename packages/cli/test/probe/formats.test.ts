import type { ProtocolName } from "@toolingua/core";
import { describe, expect, test } from "vitest";
import { cli } from "../support/cli.js";
import { scratchFolder } from "./scratch.js";
import { type ScriptedModel, scriptedModel } from "./scripted-model.js";

const env = { TOOLINGUA_CACHE: scratchFolder() };

/** Four models that speak one format each: JSON in tags, Python, special tokens, elements of XML; and what they are called. */
const models: [ProtocolName, string][] = [
  ["hermes", "qwen2.5-7b-instruct"],
  ["pythonic", "llama-4-scout"],
  ["deepseek-v3", "deepseek-v3-0324"],
  ["qwen3-coder", "qwen3-coder-30b"],
];

/** The report of a probe, as data. */
async function probe(model: ScriptedModel, ...argv: string[]) {
  const { url, requests } = await scriptedModel(model);
  const { code, stdout, stderr } = await cli(["probe", url, "--json", ...argv], { env });
  return { code, stderr, requests: requests.length, report: JSON.parse(stdout) };
}

describe.each(models)("a model that writes %s", (speaks, id) => {
  // One reply of four is wrong, at random. Without noise: "what cannot win is asked less".
  const noise = 0.25;

  test("only, under an unknown name, is recognised", async () => {
    const { code, report } = await probe({ speaks, writes: "always", noise });
    expect(code).toBe(0);
    expect(report).not.toHaveProperty("native");
    expect(report).toMatchObject({
      winner: { protocol: speaks, constraint: "off" },
      best: { protocol: speaks },
      spoken: speaks,
    });
  });

  test("when asked for it, is recognised", async () => {
    const { code, report } = await probe({ speaks, writes: "asked", noise, models: [{ id }] });
    expect(code).toBe(0);
    expect(report).toMatchObject({ winner: { protocol: speaks }, native: { protocol: speaks, from: "its name" } });
    expect(report.candidates[0]).toMatchObject({ protocol: speaks, right: { asked: 20 } });
    expect(report).not.toHaveProperty("spoken");
  });
});

test("losing candidates are asked less, and all is known of the others", async () => {
  const { report, requests } = await probe({ speaks: "hermes", writes: "asked" });
  const byId = Object.fromEntries(report.candidates.map((one: { id: string }) => [one.id, one]));
  expect(byId.hermes).toMatchObject({
    right: { asked: 20, count: 20 },
    calls: { asked: 15, count: 15 },
    valid: { asked: 15, count: 15 },
    kinds: {
      "one call": { asked: 5, count: 5 },
      choice: { asked: 5, count: 5 },
      parallel: { asked: 5, count: 5 },
      "no call": { asked: 5, count: 5 },
    },
    interval: { high: 1 },
    mayBeBest: true,
    faults: {},
  });
  expect(byId.pythonic).toMatchObject({ stopped: expect.stringMatching(/worse|behind/), faults: { "no call": 9 } });
  expect(byId.pythonic.right).toEqual({ asked: 12, count: 3 });
  expect(byId["server tools"]).toMatchObject({
    stopped: "unusable",
    why: expect.stringContaining("does not support tools"),
  });
  // Four formats, of which three are stopped after 12 questions, and the server's tools once.
  expect(requests).toBe(20 + 3 * 12 + 1);
});

test("--no-early asks every candidate every question", async () => {
  const { report } = await probe({ speaks: "hermes", writes: "asked" }, "--no-early", "--no-server-tools", "-n", "8");
  expect(report.candidates.map(({ right }: { right: { asked: number } }) => right.asked)).toEqual([8, 8, 8, 8]);
});

test("--protocol asks for the given formats only, and reports other formats of the model", async () => {
  const argv = ["-p", "xml,hermes", "-p", "auto", "-n", "8"];
  const { report } = await probe({ speaks: "glm45", writes: "always", models: [{ id: "llama-3.1-8b" }] }, ...argv);
  const ids = report.candidates.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(["xml", "hermes", "llama3-json", "server tools"]);
  expect(report.unasked[0]).toEqual({ protocol: "glm45", replies: 18, of: 18 });
});

test("--all asks for every format", async () => {
  const { report } = await probe({ speaks: "kimi-k2", writes: "asked" }, "--all", "-n", "12", "--no-server-tools");
  expect(report.candidates.length).toBeGreaterThan(45);
  expect(report.winner).toMatchObject({ protocol: "kimi-k2" });
});

test("a server whose own tools do better is reported, with the best format", async () => {
  const model: ScriptedModel = { speaks: "hermes", writes: "asked", noise: 0.4, serverTools: "right" };
  const { report } = await probe(model);
  expect(report).toMatchObject({
    winner: { id: "server tools", protocol: null },
    best: { protocol: "hermes", config: expect.stringContaining("protocol: hermes") },
  });
});

test("a model that never calls makes no format better than chance: the exit code is 1", async () => {
  const { code, report } = await probe(
    { speaks: "hermes", writes: "asked", noise: 1 },
    "-p",
    "xml,pythonic",
    "-n",
    "8",
  );
  expect(code).toBe(1);
  expect(report).not.toHaveProperty("winner");
  const { url } = await scriptedModel({ speaks: "hermes", writes: "asked" });
  const file = `${scratchFolder()}/none.yaml`;
  const { stdout, stderr } = await cli(["probe", url, "-p", "xml", "-n", "4", "--write", file], { env });
  expect(stdout).toMatch(
    /scripted made no right calls in any of these formats: xml, 0 of 3 calls right \(95 %: 0–\d\d %\)\./,
  );
  expect(stdout).toContain("3 such questions show little: --questions asks more.");
  expect(stderr).toContain(`${file} was not written: there is nothing to recommend.`);
});

test("--require-calls requires calls, for questions that need one", async () => {
  const { report } = await probe({ speaks: "hermes", writes: "asked" }, "--require-calls", "-n", "6", "-p", "hermes");
  expect(report.candidates[0]).toMatchObject({ right: { asked: 6, count: 6 }, calls: { asked: 6 } });
  expect(report.candidates[0].kinds).not.toHaveProperty("no call");
});

test.each([
  [[], "The model is missing: give the URL of a server, or --embedded MODEL."],
  [["http://127.0.0.1:1", "--embedded", "smollm2-135m"], "A URL and --embedded cannot be given together."],
  [["http://127.0.0.1:1", "-p", "herms"], 'There is no protocol "herms". Did you mean "hermes"?'],
  [
    ["http://127.0.0.1:1", "-p", "hermes", "--all"],
    "option '--all' cannot be used with option '-p, --protocol <names>'",
  ],
  [["http://127.0.0.1:1", "-n", "3"], "A whole number from 4 is needed."],
  [["http://127.0.0.1:1", "-n", "500"], "There are 48 questions, not 500."],
  [["http://"], '"http://" is not a URL. Give one such as http://localhost:8080.'],
  [
    ["ftp://127.0.0.1/"],
    '"ftp://127.0.0.1/" has the protocol ftp:, not http: or https:. Give one such as http://localhost:8080.',
  ],
  [["http://127.0.0.1:1", "--backend", "lama.cpp"], "Allowed choices are llama.cpp, ollama, openai, vllm, sglang."],
  [["http://127.0.0.1:1", "--force"], "--force needs --write with the file to replace."],
])("%j is a wrong command line, and nothing is asked", async (argv, message) => {
  const { code, stdout, stderr } = await cli(["probe", ...argv], { env });
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toContain(message);
});
