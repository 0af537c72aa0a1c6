import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { compare, effort, ratio } from "@toolingua/benchmark-timing";
import { estimate } from "@toolingua/benchmark-timing/spread.mjs";
import { getProtocol } from "@toolingua/core";
import { withToolCalling } from "@toolingua/langchain";
import { z } from "zod";
import { NativeModel, PassThrough, TextModel } from "./models.mjs";

/** Milliseconds a wrapped turn may cost over the wrapped model's own. */
const TARGET = 0.3;

const schema = z.object({
  city: z.string().describe("Name of the city"),
  days: z.number().int().min(1).max(14).optional().describe("How many days ahead"),
  units: z.enum(["metric", "imperial"]).optional(),
});
const names = ["weather", "forecast", "tides", "moon", "pollen", "air", "snow", "wind", "waves", "sun"];
const tools = names.map((name) =>
  tool(() => "", { name: `get_${name}`, description: `Reports the ${name} of a city.`, schema }),
);
const call = { name: "get_weather", args: { city: "Reykjavík", days: 3, units: "metric" } };
const text = "I will look up the weather in Reykjavík for the next three days.";
const messages = [
  new SystemMessage("You are a helpful assistant that answers questions about the weather."),
  new HumanMessage("How windy is it in Bergen?"),
  new AIMessage({ content: "", tool_calls: [{ id: "1", name: "get_wind", args: { city: "Bergen" } }] }),
  new ToolMessage({ content: "Wind: 9 m/s from the west, gusts up to 14 m/s.", tool_call_id: "1" }),
  new AIMessage("In Bergen it blows from the west at 9 m/s."),
  new HumanMessage("And what will the weather be in Reykjavík?"),
];

const written = getProtocol("hermes").renderCalls([{ name: call.name, arguments: call.args }], { tools: [] });
const inner = new TextModel(`${text}\n${written}`);
const wrap = (onInvalidCall) => withToolCalling(inner, { protocol: "hermes", onInvalidCall });
const bound = wrap("retry").bindTools(tools);
const agent = wrap("retry");
const surfacing = wrap("surface").bindTools(tools);
const native = new NativeModel({ text, ...call }).bindTools(tools);
const passing = new PassThrough(inner);
const watcher = { name: "watcher", handleLLMEnd() {} };
const watched = Object.assign(new TextModel(inner.reply), { callbacks: [watcher] });
const watchedBound = withToolCalling(watched, { protocol: "hermes" }).bindTools(tools);
const NATIVE = "a native model";
const ALONE = "the wrapped model alone";
const WATCHED = "the wrapped model, watched";
const models = {
  [ALONE]: () => inner,
  [NATIVE]: () => native,
  "a wrapper that does nothing": () => passing,
  wrapped: () => bound,
  "wrapped, bound anew each turn": () => agent.bindTools([...tools]),
  "wrapped, arguments stream": () => surfacing,
  [WATCHED]: () => watched,
  "wrapped, watched": () => watchedBound,
};

/** Wrappers, and the model that each wraps. */
const wrappers = {
  wrapped: ALONE,
  "wrapped, bound anew each turn": ALONE,
  "wrapped, arguments stream": ALONE,
  "wrapped, watched": WATCHED,
};

// The wrapper reads the wrapped model's stream also when it is invoked, so as to stop it early: a stream is compared.
const ways = {
  stream: async (model) => {
    for await (const _ of await model.stream(messages));
  },
  invoke: (model) =>
    model === inner || model === watched || model === native ? ways.stream(model) : model.invoke(messages),
};

/** CPU time per turn of each model, in µs. */
async function turnsOf(run, quick) {
  const turns = Object.values(models).map((model) => () => run(model()));
  const times = await compare(turns, effort(quick));
  return Object.fromEntries(Object.keys(models).map((name, i) => [name, times[i]]));
}

/** The cost of the wrapper per turn. `quick`: a rough look, with unreliable figures. */
export async function measure(quick) {
  const rows = [];
  for (const [way, run] of Object.entries(ways)) {
    const times = await turnsOf(run, quick);
    for (const [name, time] of Object.entries(times))
      if (name !== NATIVE) rows.push(ratio(`${way}, ${name}`, time, times[NATIVE], NATIVE));
    for (const [name, alone] of Object.entries(wrappers)) {
      const over = estimate([times[name], times[alone]], (own, base) => (own - base) / 1000);
      rows.push({ what: `${way}, ${name}`, ...over, unit: "ms a turn over", against: alone, most: TARGET });
    }
  }
  return rows;
}
