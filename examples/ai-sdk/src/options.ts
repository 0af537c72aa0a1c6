import { parseArgs } from "node:util";

export const USAGE = `npm run start:ai-sdk [-- options]
  --model NAME   a model of the store, or a GGUF file; default: Gemma 3 with 270 million parameters
  --port N       default 3000; 0: any that is free
  --help`;

export interface Options {
  model: string | undefined;
  port: number;
  help: boolean;
}

const LAST_PORT = 65535;

/** Reads the command line. Throws an error that says what is wrong with it, and what would be right. */
export function readOptions(args: string[]): Options {
  const { model, port, help = false } = valuesOf(args);
  if (!/^\d{1,5}$/.test(port) || Number(port) > LAST_PORT)
    throw new Error(`--port ${port}: give a whole number from 0 to ${LAST_PORT}.`);
  return { model, port: Number(port), help };
}

function valuesOf(args: string[]) {
  try {
    const options = {
      model: { type: "string" },
      port: { type: "string", default: "3000" },
      help: { type: "boolean" },
    } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    // Node.js explains in further sentences how to write what is not an option.
    const [why] = (error as Error).message.split(/\. |\n/);
    throw new Error(`${why}: there are --model NAME, --port N and --help.`);
  }
}
