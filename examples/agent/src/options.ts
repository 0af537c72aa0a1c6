import { type ProtocolName, protocols } from "@toolingua/core";
import { decimal, type Given, UsageError, wholeNumber } from "@toolingua/example-command-line";

const protocolNames = Object.keys(protocols);

/** The command line of `npm start`. */
export const commandLine = {
  command: "npm start",
  about:
    "Asks a small local model a question. It answers with the help of three tools: the time, a calculator, the files of " +
    "this repository.",
  words: "question",
  options: {
    model: { value: "NAME", what: "gemma3-270m (default), smollm2-135m, or the path of a GGUF file" },
    protocol: { value: "NAME", default: "hermes", what: `how calls are written: ${protocolNames.join(", ")}` },
    constrain: { what: "demand a tool call first, and hold it to a grammar" },
    "no-retry": { what: "do not ask again when a call is wrong" },
    temperature: { value: "N", default: "0", what: "0 is the most likely reply" },
    seed: { value: "N", default: "1", what: "a seed for higher temperatures" },
    "show-prompt": { what: "show every prompt and every raw reply" },
    json: { what: "print one JSON object instead" },
  },
};

export interface Options {
  question: string;
  model: string | undefined;
  protocol: ProtocolName;
  constrain: boolean;
  retry: boolean;
  temperature: number;
  seed: number;
  showPrompt: boolean;
  json: boolean;
}

/** The options that a command line gives. Errors: `UsageError`. */
export function optionsOf({ options, words }: Given<keyof typeof commandLine.options>): Options {
  return {
    question: words || "What time is it in Tokyo?",
    model: options.model,
    protocol: protocolNamed(options.protocol ?? ""),
    constrain: options.constrain !== undefined,
    retry: options["no-retry"] === undefined,
    temperature: decimal("--temperature", options.temperature, 0, 2),
    seed: wholeNumber("--seed", options.seed, 0, 2 ** 32 - 1),
    showPrompt: options["show-prompt"] !== undefined,
    json: options.json !== undefined,
  };
}

/** The protocol of this name. Errors: `UsageError`. */
export function protocolNamed(name: string): ProtocolName {
  if (Object.hasOwn(protocols, name)) return name as ProtocolName;
  throw new UsageError(`--protocol ${name}: there is no such protocol. There are ${protocolNames.join(", ")}.`);
}
