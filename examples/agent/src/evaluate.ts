import { writeFileSync } from "node:fs";
import { arch, cpus, platform } from "node:os";
import { run } from "@toolingua/example-command-line";
import type { EmbeddedChatModel } from "@toolingua/llama-cpp/langchain";
import type { AgentOptions } from "./agent.js";
import { ask } from "./ask.js";
import { loadModel } from "./model.js";
import { protocolNamed } from "./options.js";
import { moment, type Question, questions } from "./questions.js";

// npm run evaluate [-- MODEL … --protocol NAME --out FILE]: how often each model gets the twenty questions right.

/** What came of one question. `call`: the right tool gave the right result. `answer`: so did the reply, to the user. */
interface Outcome {
  question: string;
  call: boolean;
  answer: boolean;
  said: string;
  ms: number;
}

type Way = Pick<AgentOptions, "retry" | "constrain">;
const ways: Record<string, Way> = {
  "free; with retry": { retry: true, constrain: false },
  "free; without retry": { retry: false, constrain: false },
  "a call first, under a grammar; with retry": { retry: true, constrain: true },
  "a call first, under a grammar; without retry": { retry: false, constrain: true },
};

interface Row {
  model: string;
  way: string;
  protocol: string;
  outcomes: Outcome[];
}

const commandLine = {
  command: "npm run evaluate",
  about: "Asks models the twenty questions and counts the right answers.",
  words: "models",
  options: {
    protocol: { value: "NAME", default: "hermes", what: "how calls are written" },
    out: { value: "FILE", default: "results.json", what: "where the results are written" },
  },
};

await run(commandLine, async ({ options, words }) => {
  const protocol = protocolNamed(options.protocol ?? "");
  const rows: Row[] = [];
  console.log(
    "| model | | protocol | right call | right answer | seconds each |\n| --- | --- | --- | --- | --- | --- |",
  );
  for (const wanted of (words || "gemma3-270m smollm2-135m").split(/\s+/)) {
    const { model, name } = await loadModel({ model: wanted, temperature: 0, seed: 1 });
    for (const [way, how] of Object.entries(ways)) {
      const outcomes: Outcome[] = [];
      for (const question of questions) outcomes.push(await outcome(model, question, { ...how, protocol }));
      rows.push({ model: name, way, protocol, outcomes });
      console.log(lineOf(rows.at(-1)!));
      // After every row, so that nothing is lost when it is stopped.
      save(options.out ?? "", rows);
    }
    await model.dispose();
  }
});

function lineOf({ model, way, protocol, outcomes }: Row): string {
  const count = (what: "call" | "answer") => outcomes.filter((one) => one[what]).length;
  const each = outcomes.reduce((sum, { ms }) => sum + ms, 0) / outcomes.length / 1000;
  return `| ${[model, way, protocol, count("call"), count("answer"), each.toFixed(1)].join(" | ")} |`;
}

function save(file: string, rows: Row[]): void {
  const machine = `${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model.trim()}`;
  writeFileSync(file, `${JSON.stringify({ node: process.version, machine, moment, rows }, null, 2)}\n`);
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
