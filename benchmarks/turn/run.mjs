// node benchmarks/turn/run.mjs [--quick] [--out FILE]: what a turn costs besides the model: `generateWithTools` with a
// model that answers at once, less that model. Without --quick: writes results.json.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { compare, effort, heapUsed, rounded } from "@toolingua/benchmark-timing";
import { circumstances, committable, print } from "@toolingua/benchmark-timing/results.mjs";
import { estimate, unknown } from "@toolingua/benchmark-timing/spread.mjs";
import { generateWithTools, getProtocol } from "@toolingua/core";
import { catalogue } from "../gateway/catalogue.mjs";
import { call, conversation, instant, tools as tenTools } from "../throughput/turns.mjs";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false }, out: { type: "string" } } });
const { quick } = values;
const about = circumstances(["turn"]);
if (!quick && !values.out) committable(about);
const protocols = ["xml", "hermes", "qwen3-coder"];

const six = JSON.stringify(tenTools.slice(0, 6));
const many = JSON.stringify([...catalogue().map((tool) => tool.function), tenTools[0]]);
const parsed = { [six]: JSON.parse(six), [many]: JSON.parse(many) };
let changes = 0;
/** The tools with a description that none had before. */
const unseen = (json) => {
  const tools = JSON.parse(json);
  for (const tool of tools) tool.description += ` Version ${changes}.`;
  changes++;
  return tools;
};

const cases = [
  { what: "6 tools, the same objects", tools: () => parsed[six], most: 0.25 },
  { what: "6 tools, as new objects", tools: () => JSON.parse(six), most: 0.25 },
  { what: "a catalogue of 16,000 tokens, the same objects", tools: () => parsed[many], most: 1.5 },
  { what: "a catalogue of 16,000 tokens, as new objects", tools: () => JSON.parse(many), most: 1.5 },
  { what: "6 tools that were never seen", tools: () => unseen(six) },
  { what: "a catalogue that was never seen", tools: () => unseen(many) },
];

/** One turn of a conversation that has a call and its result. */
async function turn(model, protocol, tools) {
  const { toolCalls } = await generateWithTools({ model, protocol, messages: conversation(), tools }).result();
  if (toolCalls.length !== 1) throw new Error(`${toolCalls.length} calls, not 1`);
}

const replyIn = (protocol) => getProtocol(protocol).renderCalls([call], { tools: tenTools });
// What is kept of tools that are gone: as many catalogues as go through a server in a while, each another.
setFlagsFromString("--expose-gc");
globalThis.gc ??= runInNewContext("gc");
const catalogues = quick ? 2 : 400;
const reply = instant(replyIn("hermes"));
await turn(reply, "hermes", unseen(many));
const before = heapUsed();
for (let i = 0; i < catalogues; i++) await turn(reply, "hermes", unseen(many));
const memory = {
  what: "memory of catalogues that are gone, each another",
  value: rounded((heapUsed() - before) / 2 ** 20),
  unit: "MB",
  detail: `after ${catalogues} catalogues`,
};

const ways = protocols.flatMap((protocol) => {
  const model = instant(replyIn(protocol));
  return cases.map(({ tools }) => ({ prepare: tools, run: (given) => turn(model, protocol, given) }));
});
const alone = instant(replyIn("xml"));
const [model, ...times] = await compare(
  [
    async () => {
      for await (const _ of alone());
    },
    ...ways,
  ],
  quick ? effort(true) : { rounds: 8, seconds: 0.05 },
);
const rows = cases.map(({ what, most }, i) => {
  const own = protocols.map((_, p) => times[p * cases.length + i]);
  const over = (base, ...all) => all.map((time) => (time - base) / 1000);
  const each = over(model.value, ...own.map(({ value }) => value));
  const detail = protocols.map((protocol, p) => `${protocol} ${rounded(each[p])}`).join(", ");
  const figure = estimate([model, ...own], (base, ...all) => Math.max(...over(base, ...all)));
  return { what, ...figure, unit: "ms", ...(most !== undefined && { most }), detail };
});

rows.push(...(quick ? unknown([memory]) : [memory]));
print(rows, () => "turn");
const out = values.out ?? (quick ? undefined : fileURLToPath(new URL("results.json", import.meta.url)));
if (out) writeFileSync(out, `${JSON.stringify({ ...about, rows }, null, 2)}\n`);
