// The questions that a server is asked in every API. Each API writes them in its own format.

/** A tool in a request. */
export interface Tool {
  name: string;
  description: string;
  parameters: { type: "object"; properties: Record<string, object>; required?: string[] };
}

export const weather: Tool = {
  name: "get_weather",
  description: "The weather of a city",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
export const time: Tool = {
  name: "get_time",
  description: "The time in a city",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
export const status: Tool = {
  name: "get_status",
  description: "Whether all systems work. It takes no arguments.",
  parameters: { type: "object", properties: {} },
};

export type Choice = "auto" | "required" | "none" | { name: string };

/** What the user asks, or a conversation that continues after the result of a call. */
export type Turn = "greeting" | "count" | "long count" | "weather" | "cities" | "results";

function countTo(last: number): string {
  return `Count from 1 to ${last} in words, separated by commas.`;
}

export const said: Record<Exclude<Turn, "results">, string> = {
  greeting: "Say hello.",
  count: countTo(40),
  "long count": countTo(1000),
  weather: "What is the weather in Oslo?",
  cities: "What is the weather in Oslo, and what is it in Rome? Call get_weather for both at once.",
};

/** The call and its result, in the conversation that continues. */
export const made = {
  id: "call_1a2b3c4d5",
  name: weather.name,
  arguments: '{"city":"Oslo"}',
  result: "3 degrees, rain",
};

/** A question to a server. */
export interface Scenario {
  name: string;
  turn: Turn;
  stream: boolean;
  tools: readonly Tool[];
  choice?: Choice;
  /** `false`: at most one call is requested. */
  parallel?: boolean;
  /** The number of tries while there is no call and no other fault: models vary. */
  tries?: number;
}

const two = [weather, time];

export const scenarios = [
  { name: "text", turn: "greeting", stream: false, tools: [] },
  { name: "streamed text", turn: "count", stream: true, tools: [] },
  { name: "call", turn: "weather", stream: false, tools: two },
  { name: "streamed call", turn: "weather", stream: true, tools: two },
  // The question does not need a tool: a call shows that the choice was enforced.
  { name: "required call", turn: "greeting", stream: false, tools: two, choice: "required", tries: 3 },
  { name: "streamed required call", turn: "greeting", stream: true, tools: two, choice: "required", tries: 3 },
  { name: "named tool", turn: "weather", stream: true, tools: two, choice: { name: time.name }, tries: 3 },
  { name: "no tool", turn: "weather", stream: true, tools: two, choice: "none", tries: 2 },
  { name: "two calls", turn: "cities", stream: true, tools: two, choice: "required" },
  { name: "one call at a time", turn: "cities", stream: true, tools: two, choice: "required", parallel: false },
  {
    name: "call without arguments",
    turn: "greeting",
    stream: true,
    tools: [status],
    choice: { name: status.name },
  },
  { name: "results", turn: "results", stream: false, tools: two },
] as const satisfies readonly Scenario[];
