import { parameters } from "../gateway.js";

/** How a client is asked. */
export interface Asking {
  /** Where the gateway is. */
  url: string;
  /** Whether the answers are streamed. */
  stream: boolean;
  signal: AbortSignal;
  /** Takes text and pieces of arguments as soon as the client gives them. */
  onPiece?(piece: string): void;
}

/** What the user of a client gets, all turns together. */
export interface Got {
  calls: { name: string; input: unknown }[];
  text: string;
  reasoning: string;
}

/** A real client that asks the question with the two tools, runs the calls, and asks with the results until there are none. */
export interface Client {
  /** The package that asks the gateway. */
  package: string;
  /** The library that it belongs to, where it is a part of one. */
  of?: string;
  api: "Chat Completions" | "Responses" | "Messages";
  /** `false`: the client does not give the thoughts of a model. */
  reasoning?: false;
  /** Errors: what the client throws, also where it reports an error in another way. */
  ask(asking: Asking): Promise<Got>;
}

export const question = "What is the weather in Oslo?";

/** The tools of every client. */
export const tools = [
  {
    name: "get_weather",
    description: "The weather of a city",
    schema: parameters,
    run: (input: unknown) => `3 degrees in ${(input as { city: string }).city}`,
  },
  {
    name: "now",
    description: "The time",
    schema: { type: "object", properties: {} },
    run: () => "It is noon",
  },
];

/** What a tool gives; the call is written down. */
export function runTool(got: Got, name: string, input: unknown): string {
  got.calls.push({ name, input });
  const tool = tools.find((one) => one.name === name);
  return tool ? tool.run(input) : `There is no tool ${name}.`;
}

export const nothing = (): Got => ({ calls: [], text: "", reasoning: "" });
