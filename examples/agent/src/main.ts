import { styleText } from "node:util";
import { run } from "@toolingua/example-command-line";
import { type AgentEvent, ask } from "./ask.js";
import { loadModel } from "./model.js";
import { commandLine, type Options, optionsOf } from "./options.js";
import { Printer } from "./print.js";

const toyNote = `No weights are in reach, so this is a TOY MODEL: random weights, made on the spot. It knows nothing. Only the grammar
makes its calls well-formed; which tool it calls, and with what, is chance.`;

async function main(options: Options, signal: AbortSignal): Promise<void> {
  const started = performance.now();
  const { model, name, toy } = await loadModel({ ...options, signal });
  // Without a grammar the toy model would only babble.
  const how = toy ? { ...options, protocol: "hermes" as const, constrain: true } : options;
  const loaded = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  try {
    if (options.json)
      return await printJson(ask(model, options.question, { ...how, signal }), { ...how, model: name, toy });
    if (toy) console.log(styleText("yellow", toyNote));
    console.log(`${styleText("bold", "model  ")} ${name} ${styleText("dim", `loaded in ${loaded}; ${describe(how)}`)}`);
    console.log(`${styleText("bold", "you    ")} ${options.question}`);
    const printer = new Printer(options.showPrompt);
    for await (const event of ask(model, options.question, { ...how, signal })) printer.print(event);
    printer.end();
  } finally {
    await model.dispose();
  }
}

function describe({ protocol, constrain }: { protocol: string; constrain: boolean }): string {
  return `calls in ${protocol}${constrain ? ", a call first, under a grammar" : ""}`;
}

async function printJson(events: AsyncIterable<AgentEvent>, about: Record<string, unknown>): Promise<void> {
  const steps: AgentEvent[] = [];
  let answer = "";
  const started = performance.now();
  for await (const event of events) {
    if (event.type === "text") answer += event.text;
    else steps.push(event);
  }
  console.log(JSON.stringify({ ...about, steps, answer, ms: Math.round(performance.now() - started) }, null, 2));
}

const controller = new AbortController();
process.once("SIGINT", () => controller.abort());
await run(commandLine, async (given) => {
  try {
    await main(optionsOf(given), controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    process.exitCode = 130;
  }
});
