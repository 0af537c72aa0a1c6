// The compilers, each with the verdicts of what runs its grammars: `{ us, verdicts }` for a schema and texts, or `{
// error }`.
import { fork, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { jsonSchemaToGbnf } from "@toolingua/core/grammar";
import { getLlama, LlamaJsonSchemaGrammar } from "node-llama-cpp";
import { wheelFolder } from "../accuracy/wheel.mjs";
import { convert } from "./llama-cpp.mjs";

export const LLGUIDANCE = "llguidance==1.9.1";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, maxThreads: 1 });

/** The result of a function, and the fastest of three runs in microseconds. */
function timed(run) {
  let [best, made] = [Number.POSITIVE_INFINITY];
  for (let i = 0; i < 3; i++) {
    const begun = performance.now();
    made = run();
    best = Math.min(best, (performance.now() - begun) * 1000);
  }
  return { made, us: best };
}

/** llama.cpp's own judgement of whole texts; internal to node-llama-cpp, whose version is pinned. */
const admitted = (grammar, texts) => texts.map((text) => grammar._testText(text));
const ofGbnf = async (grammar, texts) => admitted(await llama.createGrammar({ grammar }), texts);

async function attempt(run) {
  try {
    return await run();
  } catch (error) {
    return { error: String(error?.message ?? error) };
  }
}

/** Ours reports where a grammar accepts more than the schema, or less. */
async function ours({ schema, texts }) {
  // A copy each time, because compiled schemas are cached by identity.
  const { made, us } = timed(() => jsonSchemaToGbnf(structuredClone(schema)));
  const said = { loose: made.unenforced.length > 0, tight: made.narrowed.length > 0 };
  return { us, verdicts: await ofGbnf(made.grammar, texts), said };
}

/** Its grammars end with four line breaks, or none. */
function nodeLlamaCpp({ schema, texts }) {
  const { made, us } = timed(() => new LlamaJsonSchemaGrammar(llama, schema));
  const ended = admitted(
    made,
    texts.map((text) => `${text}\n\n\n\n`),
  );
  return { us, verdicts: admitted(made, texts).map((one, i) => one || ended[i]) };
}

/** Its grammars; what it leaves out it says in a warning. */
async function llamaCpp(cases) {
  const converted = convert(cases.map(({ schema }) => schema));
  return each(cases, async ({ texts }, i) => {
    const { error, us, grammar, warning } = converted[i];
    if (error !== undefined) throw new Error(error);
    const said = { loose: warning !== "", tight: warning !== "" };
    return { us, verdicts: await ofGbnf(grammar, texts), said };
  });
}

/** What a script for Python with llguidance answers to a request. */
export function python(script, request) {
  const { stdout, stderr, status } = spawnSync("python3", [here(script)], {
    input: JSON.stringify(request),
    encoding: "utf8",
    maxBuffer: 2 ** 29,
    env: { ...process.env, PYTHONPATH: wheelFolder(LLGUIDANCE) },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** One after the other, so that times are not those of all at once. */
async function each(list, judge) {
  const found = [];
  for (const [i, one] of list.entries()) found.push(await attempt(() => judge(one, i)));
  return found;
}

/** The time limit for a schema, in milliseconds: some never finish. */
const PATIENCE = 20_000;

/** A process that is asked one case after the other, and started again when one ends it or is never done. */
async function inXgrammar(cases) {
  let child;
  const started = () => {
    child = fork(here("xgrammar.mjs"), { stdio: ["ignore", "ignore", "ignore", "ipc"] });
    return answerOf(child);
  };
  const found = [];
  for (const one of cases) {
    if (!child?.connected) await started();
    const given = answerOf(child);
    child.send(one, () => {}); // a process that has just ended says so by its end
    const answer = await given;
    if (answer.error === ENDED) {
      child.kill("SIGKILL");
      child = undefined;
    }
    found.push(answer);
  }
  child?.kill();
  return found;
}

const ENDED = "ended the process, or was not done in time";

/** The next message of a process, or undefined if there is none. */
const answerOf = (child) =>
  new Promise((resolve) => {
    const done = (answer) => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(answer);
    };
    const timer = setTimeout(() => done({ error: ENDED }), PATIENCE);
    child.once("message", done).once("exit", () => done({ error: ENDED }));
  });

/** The verdicts of all compilers on all cases, `{ schema, texts }`: a list for each, by name. */
export async function judgeAll(cases) {
  return {
    Toolingua: await each(cases, ours),
    llguidance: python("judges.py", cases),
    "web-xgrammar": await inXgrammar(cases),
    "llama.cpp": await llamaCpp(cases),
    "node-llama-cpp": await each(cases, nodeLlamaCpp),
  };
}
