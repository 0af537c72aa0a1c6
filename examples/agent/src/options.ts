import { parseArgs } from "node:util";
import { type ProtocolName, protocols } from "@toolingua/core";

/** Names in lines of a terminal's width, all but the first indented. */
function list(names: string[], indent: number): string {
  const lines = [""];
  for (const name of names) {
    const line = lines.at(-1) ?? "";
    if (line.length + name.length > 70) lines.push(name);
    else lines[lines.length - 1] = line === "" ? name : `${line} ${name}`;
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}

export const help = `
Asks a small local model a question. It answers with the help of three tools: the time, a calculator, the files
of this repository.

  npm start                                     asks "What time is it in Tokyo?"
  npm start -- "What is 1234 * 5678?"           asks your own question
  npm start -- --show-prompt                    shows what the model was sent and what it wrote

  --model NAME       gemma3-270m (default), smollm2-135m, or the path of a GGUF file
  --protocol NAME    how calls are written (default: hermes); any of
                     ${list(Object.keys(protocols), 21)}
  --constrain        demand a tool call first, and hold it to a grammar
  --no-repair        do not ask again when a call is wrong
  --temperature N    0 (default) is the most likely reply
  --seed N           a seed for higher temperatures (default: 1)
  --show-prompt      show every prompt and every raw reply
  --json             print one JSON object instead
  --help
`;

export interface Options {
  question: string;
  model: string | undefined;
  protocol: ProtocolName;
  constrain: boolean;
  repair: boolean;
  temperature: number;
  seed: number;
  showPrompt: boolean;
  json: boolean;
  help: boolean;
}

/** Reads the command line. Throws an error that says what is wrong with it. */
export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: {
      model: { type: "string" },
      protocol: { type: "string", default: "hermes" },
      constrain: { type: "boolean", default: false },
      repair: { type: "boolean", default: true },
      temperature: { type: "string", default: "0" },
      seed: { type: "string", default: "1" },
      "show-prompt": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  return {
    question: positionals.join(" ").trim() || "What time is it in Tokyo?",
    model: values.model,
    protocol: protocolName(values.protocol),
    constrain: values.constrain,
    repair: values.repair,
    temperature: number("--temperature", values.temperature, 0, 2),
    seed: number("--seed", values.seed, 0, 2 ** 32 - 1),
    showPrompt: values["show-prompt"],
    json: values.json,
    help: values.help,
  };
}

function protocolName(name: string): ProtocolName {
  if (Object.hasOwn(protocols, name)) return name as ProtocolName;
  throw new Error(`--protocol ${name}: there is no such protocol. There are ${Object.keys(protocols).join(", ")}.`);
}

function number(option: string, text: string, least: number, most: number): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= least && value <= most) return value;
  throw new Error(`${option} ${text}: give a number from ${least} to ${most}.`);
}
