// node evals/constrained/run.mjs tiny|gemma3-270m|smollm2-135m [--limit N] [--protocol NAME] [--free N] [--out
// FILE] [--report] [--decode]
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { decodeCost } from "./decode.mjs";
import { answer, loadModel } from "./models.mjs";
import { questions } from "./questions.mjs";
import { progress, Records } from "./records.mjs";
import { constrainedProtocols, judge, loadTinyModel, tinyJob, tinyReply } from "./tiny.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: "string" },
    free: { type: "string", default: "100" },
    protocol: { type: "string" },
    out: { type: "string" },
    report: { type: "boolean", default: false },
    // Only the cost of a grammar per token, on a number of pairs of replies (--limit, by default 20).
    decode: { type: "boolean", default: false },
  },
});
const [model = "tiny"] = positionals;
const here = (name) => new URL(name, import.meta.url).pathname;
const records = new Records(values.out ?? here(`${model}.jsonl`));

if (values.decode) await runDecode(Number(values.limit ?? 20), values.protocol ?? "hermes");
else if (model === "tiny") await runTiny(Number(values.limit ?? 1000), Number(values.free));
else await runModel(Number(values.limit ?? 200), values.protocol ?? "hermes");

async function runDecode(pairs, protocol) {
  const file = here("results.json");
  const decode = { protocol, ...(await decodeCost(model, pairs, protocol)) };
  console.log(JSON.stringify(decode, null, 2));
  if (values.out) return;
  const results = known(file);
  writeFileSync(file, `${JSON.stringify({ ...results, [model]: { ...results[model], decode } }, null, 2)}\n`);
}

/** The number of seeds for each protocol under its grammar, and free. */
async function runTiny(limit, free) {
  const names = values.protocol ? [values.protocol] : constrainedProtocols;
  // Seed by seed over all protocols, so that an incomplete run covers each of them.
  const jobs = Array.from({ length: limit }, (_, seed) =>
    names.flatMap((name) => [tinyJob(name, seed, true), seed < free ? tinyJob(name, seed, false) : undefined]),
  )
    .flat()
    .filter((job) => job !== undefined);
  if (!values.report) await measureTiny(jobs.filter(({ key }) => !records.has(key)));
  const rows = jobs.flatMap(({ key }) => records.get(key) ?? []).map((row) => ({ ...row, ...judge(row) }));
  report({
    protocols: Object.fromEntries(
      names.map((name) => {
        const of = (constrained) => rows.filter((row) => row.name === name && row.constrained === constrained);
        return [name, { constrained: summary(of(true)), free: summary(of(false)) }];
      }),
    ),
    constrained: summary(rows.filter(({ constrained }) => constrained)),
    free: summary(rows.filter(({ constrained }) => !constrained)),
  });
}

async function measureTiny(jobs) {
  const sequences = 8;
  const { engine, dispose } = await loadTinyModel(sequences);
  const step = progress(jobs.length);
  // All workers take from one list.
  const waiting = jobs.values();
  const work = async () => {
    for (const job of waiting) {
      records.add(job.key, await tinyReply(engine, job));
      step(job.name);
    }
  };
  await Promise.all(Array.from({ length: sequences }, work));
  await dispose();
}

async function runModel(limit, protocol) {
  if (!values.report) await measureModel(limit, protocol);
  const rows = records.rows.filter((row) => row.protocol === protocol);
  const of = (constrained) => rows.filter((row) => row.constrained === constrained);
  const accuracy = (some) => ({
    ...summary(some),
    rightTool: some.filter(({ tool }) => tool).length,
    rightCall: some.filter(({ right }) => right).length,
  });
  report({ protocol, constrained: accuracy(of(true)), free: accuracy(of(false)) });
}

async function measureModel(limit, protocol) {
  const engine = await loadModel(model);
  const list = questions(200).filter((_, i) => i % Math.ceil(200 / limit) === 0);
  const step = progress(list.length);
  for (const question of list) {
    for (const constrained of [true, false]) {
      const key = `${protocol} ${constrained ? "constrained" : "free"} ${question.id}`;
      if (records.has(key)) continue;
      const { id, name, args } = question;
      records.add(key, {
        protocol,
        id,
        constrained,
        name,
        args,
        ...(await answer(engine, protocol, question, constrained)),
      });
    }
    step(question.question);
  }
  await engine.dispose();
}

/** `valid` is of those that finished. */
function summary(rows) {
  const finished = rows.filter(({ finish }) => finish === "stop");
  const tokens = rows.reduce((sum, row) => sum + row.tokens, 0);
  const seconds = rows.reduce((sum, row) => sum + row.ms, 0) / 1000;
  return {
    replies: rows.length,
    cutOff: rows.length - finished.length,
    finished: finished.length,
    valid: finished.filter(({ wrong }) => !wrong).length,
    tokens,
    tokensPerSecond: Math.round((10 * tokens) / seconds) / 10,
  };
}

/** The figures of this model, beside those of the others. */
function report(figures) {
  const { dependencies } = JSON.parse(readFileSync(here("package.json"), "utf8"));
  const machine = {
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    node: process.version,
    "node-llama-cpp": dependencies["node-llama-cpp"],
  };
  console.log(JSON.stringify(figures, null, 2));
  if (values.out) return;
  const file = here("results.json");
  const results = known(file);
  const decode = results[model]?.decode;
  writeFileSync(
    file,
    `${JSON.stringify({ ...results, [model]: { machine, threads: 1, ...figures, ...(decode && { decode }) } }, null, 2)}\n`,
  );
}

function known(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}
