// node benchmarks/startup/run.mjs [--rounds N]: how long a program waits for its first import of the core, and for its first
// reply, each in a process of its own. Writes nothing.
import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { circumstances, print } from "@toolingua/benchmark-timing/results.mjs";
import { estimate, measured, quotient, rounded } from "@toolingua/benchmark-timing/spread.mjs";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "20" } } });
const here = dirname(fileURLToPath(import.meta.url));
/** The same module without the bundle, as a bundler gets it. */
const modules = import.meta.resolve("@toolingua/core").replace("/dist/bundle/", "/dist/");

const PEER = "ai";
const cases = [
  { what: "the main entry", imports: ["@toolingua/core"], most: 1.5 },
  { what: "the main entry without the bundle", imports: [modules] },
  { what: "parseReply and hermes", imports: ["@toolingua/core/reply", "@toolingua/core/protocols/hermes"], most: 0.8 },
  { what: "the main entry and a first reply", imports: ["@toolingua/core"], reads: true },
];

/** What reads a reply with the last import. */
const READ = `module.parseReply("<tool_call>", { protocol: "hermes", tools: [{ name: "now" }] });`;

/** The time of imports in a new process, in ms, and of a first reply if one is read. */
function timeOf({ imports, reads = false }) {
  const source = `
    const started = performance.now();
    let module;
    for (const name of ${JSON.stringify(imports)}) module = await import(name);
    ${reads ? READ : ""}
    console.log(performance.now() - started);`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", source], { cwd: here, encoding: "utf8" }));
}

const times = [{ imports: [PEER] }, ...cases].map((one) => ({ ...one, rounds: [] }));
for (let round = 0; round < Number(values.rounds); round++) for (const one of times) one.rounds.push(timeOf(one));
const [peer, ...own] = times.map(({ rounds }) => measured(rounds));

const { machine, node } = circumstances(["startup"]);
console.log(`${machine}, Node.js ${node}`);
const rows = cases.map(({ what, most }, i) => ({
  what,
  ...estimate([own[i], peer], quotient),
  unit: "× the time",
  against: `import "${PEER}"`,
  ...(most !== undefined && { most }),
  detail: `${rounded(own[i].value)} ms, ${rounded(peer.value)} ms`,
}));
print(rows, () => "startup");
