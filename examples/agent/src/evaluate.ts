import { writeFileSync } from "node:fs";
import { arch, cpus, platform } from "node:os";
import { parseArgs } from "node:util";
import type { EmbeddedChatModel } from "@toolingua/llama-cpp/langchain";
import type { AgentOptions } from "./agent.js";
import { ask } from "./ask.js";
import { loadModel } from "./model.js";
import { protocolNamed } from "./options.js";
import { moment, type Question, questions } from "./questions.js";

// npm run evaluate [-- --model NAME … --protocol NAME --out FILE]: how often each model gets the twenty questions right.

/** What came of one question. `call`: the right tool gave the right result. `answer`: so did the reply, to the user. */
interface Outcome {
  question: string;
  call: boolean;
  answer: boolean;
  said: string;
  ms: number;
}

const { values } = parseArgs({
  options: {
    model: { type: "string", multiple: true },
    protocol: { type: "string", default: "hermes" },
    out: { type: "string", default: "results.json" },
  },
});
const protocol = protocolNamed(values.protocol);
const ways: Record<string, Pick<AgentOptions, "repair" | "constrain">> = {
  "free; with repair": { repair: true, constrain: false },
  "free; without repair": { repair: false, constrain: false },
  "a call first, under a grammar; with repair": { repair: true, constrain: true },
  "a call first, under a grammar; without repair": { repair: false, constrain: true },
};
const rows: { model: string; way: string; protocol: string; outcomes: Outcome[] }[] = [];

console.log("| model | | protocol | right call | right answer | seconds each |\n| --- | --- | --- | --- | --- | --- |");
for (const wanted of values.model ?? ["gemma3-270m", "smollm2-135m"]) {
  const { model, name } = await loadModel({ model: wanted, temperature: 0, seed: 1 });
  for (const [way, how] of Object.entries(ways)) {
    const outcomes: Outcome[] = [];
    for (const question of questions) outcomes.push(await outcome(model, question, { ...how, protocol }));
    rows.push({ model: name, way, protocol, outcomes });
    const count = (what: "call" | "answer") => outcomes.filter((one) => one[what]).length;
    const each = outcomes.reduce((sum, { ms }) => sum + ms, 0) / outcomes.length / 1000;
    const cells = [name, way, protocol, count("call"), count("answer"), each.toFixed(1)];
    console.log(`| ${cells.join(" | ")} |`);
    save();
  }
  await model.dispose();
}

/** After every row, so that nothing is lost when it is stopped. */
function save(): void {
  const machine = `${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model.trim()}`;
  writeFileSync(values.out, `${JSON.stringify({ node: process.version, machine, moment, rows }, null, 2)}\n`);
}

async function outcome(
  model: EmbeddedChatModel,
  { text, tool, expected }: Question,
  options: Omit<AgentOptions, "now">,
): Promise<Outcome> {
  const started = performance.now();
  let call = false;
  let said = "";
  try {
    for await (const event of ask(model, text, { ...options, now: () => moment })) {
      if (event.type === "result") {
        call ||= event.name === tool && expected.test(event.text);
        said = ""; // what was said before a result is no answer
      } else if (event.type === "text") said += event.text;
    }
  } catch (error) {
    said = String(error);
  }
  const answer = call && expected.test(said);
  return { question: text, call, answer, said, ms: Math.round(performance.now() - started) };
}
