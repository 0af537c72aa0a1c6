// How many calls of real replies the rule of copied calls loses, with the question of each reply as untrusted text, and with
// the questions of all: node benchmarks/parse/false-alarms.mjs replies.jsonl …
//
// A line of a file is { text, tools, messages? }: a reply, the tools of its request, and its conversation.
import { readFileSync } from "node:fs";
import { parseReply } from "@toolingua/core";

const files = process.argv.slice(2);
if (files.length === 0) throw new Error("Which replies? Give files of JSON lines with text, tools and messages.");
const rows = files.flatMap((file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line)),
);

const questionsOf = ({ messages = [] }) =>
  messages
    .filter(({ role }) => role === "user" || role === "tool")
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)));
const everyQuestion = [...new Set(rows.flatMap(questionsOf))];

/** The number of calls; undefined where the tools are refused. */
function callsIn({ text, tools = [] }, untrusted) {
  try {
    const given = tools.map((tool) => tool.function ?? tool);
    return parseReply(text, { tools: given, protocol: "auto", untrusted }).toolCalls.length;
  } catch {
    return undefined;
  }
}

const read = rows.flatMap((row) => {
  const calls = callsIn(row);
  return calls === undefined ? [] : { row, calls, questions: questionsOf(row) };
});
const sum = (counts) => counts.reduce((total, count) => total + count, 0);
const asked = read.filter(({ questions }) => questions.length > 0);
const lost = (some, untrusted) => sum(some.map((one) => one.calls - callsIn(one.row, untrusted(one))));

console.table([
  {
    untrusted: "its question",
    replies: asked.length,
    calls: sum(asked.map(({ calls }) => calls)),
    lost: lost(asked, (one) => one.questions),
  },
  {
    untrusted: "all questions",
    replies: read.length,
    calls: sum(read.map(({ calls }) => calls)),
    lost: lost(read, () => everyQuestion),
  },
]);
