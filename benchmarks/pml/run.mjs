// npm run bench -- pml [--quick] [--accuracy --minutes N]: the benefit of rare, large pruning for a prefix cache, over
// a conversation of 200 turns: a server caches the part of a request that has the same beginning as the last one. Also
// the time of pruning, and how often models call right with a document as the history. Writes the README's tables.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { prunePml, stringifyPml } from "@toolingua/pml";
import { table, withTables } from "../timing/markdown.mjs";
import { accuracyTable, askAll, summarise } from "./accuracy.mjs";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean" },
    accuracy: { type: "boolean" },
    minutes: { type: "string", default: "30" },
  },
});
if (values.accuracy) {
  await askAll(Number(values.minutes));
  summarise();
}
const TURNS = values.quick ? 40 : 200;
const LIMIT = 16_000;
const CHARACTERS = 4;
/** Servers keep whole blocks of tokens. */
const BLOCK = 16;

/** Numbers between 0 and 1, the same every time (mulberry32). */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A turn of an editor's session: a question, sometimes with a file, one or two calls with their results, and an answer.
 */
function turnOf(index, next) {
  const words = (count) => Array.from({ length: count }, () => `word${Math.floor(next() * 5_000)}`).join(" ");
  const lines = (count) =>
    Array.from({ length: count }, () => `  const ${words(1)} = ${words(3).replaceAll(" ", " + ")};`).join("\n");
  const file = {
    type: "attachment",
    kind: "file",
    path: `src/file${index}.ts`,
    content: lines(30 + Math.floor(next() * 120)),
  };
  const calls = Array.from({ length: next() < 0.5 ? 1 : 2 }, (_, i) => ({
    id: `c${index}-${i}`,
    output: words(20 + Math.floor(next() * 200)),
  }));
  return {
    index,
    messages: [
      {
        type: "user",
        parts: [...(next() < 0.3 ? [file] : []), { type: "text", text: words(10 + Math.floor(next() * 40)) }],
      },
      {
        type: "assistant",
        parts: calls.map(({ id }) => ({ type: "call", id, name: "search", arguments: { query: words(3) } })),
      },
      ...calls.map(({ id, output }) => ({ type: "tool_output", call: id, text: output })),
      { type: "assistant", parts: [{ type: "text", text: words(20 + Math.floor(next() * 100)) }] },
    ],
  };
}

function samePart(a, b) {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return Math.floor(at / CHARACTERS / BLOCK) * BLOCK;
}

/** One conversation, whose document is pruned to this part of the limit whenever it is beyond it. */
function converse(target) {
  const next = random(23);
  let document = {
    version: "1",
    memory: [{ type: "fact", text: "Kim wants short answers." }],
    conversation: { turns: [] },
  };
  let before = "";
  const sum = { sent: 0, read: 0, prunings: 0, turns: 0 };
  for (let index = 1; index <= TURNS; index++) {
    const { conversation } = document;
    document = { ...document, conversation: { ...conversation, turns: [...conversation.turns, turnOf(index, next)] } };
    const result = prunePml(document, { maxTokens: LIMIT, target, indent: 0 });
    document = result.document;
    // Text after the last turn is sent again with every request, so it is not part of the same beginning.
    const text = stringifyPml(document, { indent: 0 }).replace("</conversation>\n</pml>\n", "");
    const tokens = Math.ceil(text.length / CHARACTERS);
    sum.sent += tokens;
    sum.read += tokens - samePart(before, text);
    sum.prunings += result.pruned.length > 0 ? 1 : 0;
    sum.turns += document.conversation.turns.length;
    before = text;
  }
  return sum;
}

const thousands = (count) => Math.round(count).toLocaleString("en-US");
const ways = [
  ["to the limit, whenever it is met (`target: 1`)", 1],
  ["to 85 %", 0.85],
  ["to 70 % (default)", 0.7],
  ["to 50 %", 0.5],
];
const measured = ways.map(([what, target]) => ({ what, ...converse(target) }));
const [base] = measured;
const rows = measured.map(({ what, sent, read, prunings, turns }) => [
  what,
  thousands(sent),
  thousands(read),
  `${((100 * read) / base.read).toFixed(0)} %`,
  prunings,
  thousands(sent / TURNS),
  (turns / TURNS).toFixed(1),
]);
const heads = [
  "pruned",
  "tokens sent",
  "read again",
  "of the first",
  "prunings",
  "tokens a request",
  "turns a request",
];
/** The CPU time of pruning a document with a number of turns to the limit, the fastest of three. */
function timeToPrune(count) {
  const next = random(5);
  const turns = Array.from({ length: count }, (_, i) => turnOf(i + 1, next));
  const document = { version: "1", conversation: { turns } };
  const times = Array.from({ length: 3 }, () => {
    const begun = process.cpuUsage();
    prunePml(document, { maxTokens: LIMIT });
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  });
  return [thousands(count), `${thousands(stringifyPml(document).length / 1e6)} MB`, thousands(Math.min(...times))];
}
const sizes = values.quick ? [100, 200] : [1_250, 2_500, 5_000];
const result = [table(heads, rows), table(["turns", "text", "ms"], sizes.map(timeToPrune)), accuracyTable()];
console.log(result.join("\n\n"));
if (!values.quick) {
  const readme = fileURLToPath(new URL("README.md", import.meta.url));
  writeFileSync(readme, withTables(readFileSync(readme, "utf8"), result));
}
