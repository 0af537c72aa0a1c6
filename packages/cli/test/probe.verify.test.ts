import { resolveModel } from "@toolingua/llama-cpp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LlamaServer, llamaServerMissing, startLlamaServer } from "../../endpoints/test/support/llama-server.js";
import { scratchFolder } from "./probe/scratch.js";
import { cli } from "./support/cli.js";

// The probe with real models, in llama.cpp's own server and in this process: `npm run verify -- probe`. What it finds is
// compared with evals/accuracy, where hermes did best with SmolLM2 and llama3-json with Gemma, both constrained by a grammar.

const env = { TOOLINGUA_CACHE: scratchFolder() };
const asked = ["-p", "hermes,llama3-json", "-n", "6", "--style", "compact", "--max-tokens", "160", "--no-early"];
const minutes = (count: number) => count * 60_000;

interface Candidate {
  id: string;
  protocol: string | null;
  constraint: string;
  right: { count: number; asked: number };
  valid: { count: number; asked: number };
  cutOff: number;
  mayBeBest: boolean;
}

async function probe(what: string, ...argv: string[]) {
  const started = performance.now();
  const { code, stdout, stderr } = await cli(["probe", ...argv, "--json", "--quiet"], { env });
  expect(stderr).toBe("");
  const report: { backend: string; winner?: Candidate; candidates: (Candidate & { why?: string })[] } =
    JSON.parse(stdout);
  const rows = report.candidates.map(
    ({ id, right, valid, cutOff, why }) =>
      why ?? `${id}: ${right.count} of ${right.asked} right, ${valid.count} valid, ${cutOff} cut off`,
  );
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${what}, ${seconds} s: ${rows.join("; ")}. Best: ${report.winner?.id ?? "none"} (exit code ${code})`);
  return { code, report };
}

test(
  "llama.cpp's own server exists",
  () => {
    expect(llamaServerMissing()).toBeUndefined();
  },
  minutes(3),
);

describe.each([
  ["smollm2-135m", "hermes"],
  ["gemma3-270m", "llama3-json"],
])("%s", (model, bestOfBenchmark) => {
  let server: LlamaServer;
  beforeAll(async () => {
    const { path, chatTemplate } = await resolveModel(model);
    server = await startLlamaServer(path, typeof chatTemplate === "string" ? chatTemplate : chatTemplate?.template);
  }, minutes(10));
  afterAll(() => server?.kill());

  test.each(["in llama.cpp's server", "in this process"])(
    "required calls, %s: constrained beats free",
    async (where) => {
      const isServer = where.includes("server");
      const target = isServer ? [server.baseURL, "--model", model] : ["--embedded", model];
      const { report } = await probe(`${model} ${where}, made to call`, ...target, ...asked, "--require-calls");
      expect(report.backend).toBe(isServer ? "llama.cpp" : "embedded");
      const right = (constraint: string) =>
        report.candidates
          .filter(({ protocol, constraint: one }) => protocol !== null && one === constraint)
          .map(({ right: { count } }) => count);
      const sum = (counts: number[]) => counts.reduce((total, one) => total + one, 0);
      expect(sum(right("auto"))).toBeGreaterThan(sum(right("off")));
      // Constrained calls are valid, unless the token limit truncates them.
      const constrained = report.candidates.filter(
        ({ protocol, constraint }) => protocol !== null && constraint === "auto",
      );
      for (const { valid, cutOff } of constrained) expect(valid.count + cutOff).toBeGreaterThanOrEqual(valid.asked);
      // With six questions formats cannot be distinguished: the benchmark's best is among those that may be the best.
      const best = report.candidates.find(
        ({ protocol, constraint }) => protocol === bestOfBenchmark && constraint === "auto",
      );
      expect(best?.mayBeBest).toBe(true);
    },
    minutes(20),
  );
});

test(
  "SmolLM2 hardly ever makes an optional call: no format is recommended",
  async () => {
    const { code, report } = await probe(
      "smollm2-135m in this process, free to call or not",
      ...["--embedded", "smollm2-135m", "-p", "hermes", "-n", "8", "--style", "compact", "--max-tokens", "160"],
    );
    expect(code).toBe(1);
    expect(report.winner).toBeUndefined();
  },
  minutes(10),
);
