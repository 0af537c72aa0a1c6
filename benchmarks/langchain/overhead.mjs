// What the wrapper costs a turn: node benchmarks/langchain/overhead.mjs (after npm run build)
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { getProtocol } from "@toolingua/core";
import { withToolCalling } from "@toolingua/langchain";
import { z } from "zod";
import { NativeModel, PassThrough, TextModel } from "./models.mjs";

/** Milliseconds a wrapped turn may cost over the wrapped model's own. */
const TARGET = 0.3;
const ROUNDS = 40;
const TURNS = 50;

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
const rows = {
  "the wrapped model alone": () => inner,
  "a native model": () => native,
  "a wrapper that does nothing": () => passing,
  wrapped: () => bound,
  "wrapped, bound anew each turn": () => agent.bindTools([...tools]),
  "wrapped, arguments stream": () => surfacing,
  "the wrapped model, watched": () => watched,
  "wrapped, watched": () => watchedBound,
};

// The wrapper reads the wrapped model's stream also when it is invoked, so as to stop it early: a stream is compared.
const ways = {
  stream: async (model) => {
    for await (const _ of await model.stream(messages));
  },
  invoke: (model) =>
    model === inner || model === watched || model === native ? ways.stream(model) : model.invoke(messages),
};

// The processor's time, and the fastest round: whatever else the machine does counts as little as can be.
for (const [way, run] of Object.entries(ways)) {
  const fastest = Object.fromEntries(Object.keys(rows).map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, model] of Object.entries(rows)) {
      const start = process.cpuUsage();
      for (let turn = 0; turn < TURNS; turn++) await run(model());
      const { user, system } = process.cpuUsage(start);
      fastest[name] = Math.min(fastest[name], (user + system) / 1000 / TURNS);
    }
  }
  console.log(`${way.padEnd(30)} ms a turn   over the wrapped model   × native   (target: ${TARGET} ms over)`);
  for (const [name, ms] of Object.entries(fastest)) {
    const over = (ms - fastest["the wrapped model alone"]).toFixed(3);
    const ratio = (ms / fastest["a native model"]).toFixed(2);
    console.log(`${name.padEnd(30)} ${ms.toFixed(3).padStart(9)} ${over.padStart(24)} ${ratio.padStart(10)}`);
  }
}
