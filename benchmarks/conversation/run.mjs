// npm run bench -- conversation [--quick]: what ToolConversation costs a turn, over the same turns through generateWithTools.

import { compare, effort } from "@toolingua/benchmark-timing";
import { generateWithTools, getProtocol } from "@toolingua/core";
import { memoryStore, ToolConversation } from "@toolingua/core/conversation";

const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tools = [{ name: "weather", description: "The weather in a city", parameters, execute: () => "Fine." }];
const call = getProtocol("hermes").renderCalls([{ name: "weather", arguments: { city: "Oslo" } }], { tools });
const question = "What is the weather in Oslo?";
const PIECE = 4;
const pieces = (text) => text.match(new RegExp(`[^]{1,${PIECE}}`, "g"));
const replies = [pieces(call), pieces("It is fine in Oslo.")];

/** Calls the tool, then answers. */
async function* model({ messages }) {
  yield* replies[messages.some(({ role }) => role === "assistant") ? 1 : 0];
}

/** Two turns as someone would write them who has no runtime. */
async function byHand() {
  const messages = [{ role: "user", content: question }];
  for (;;) {
    const turn = generateWithTools({ model, messages, tools, protocol: "hermes", onInvalidCall: "retry" });
    for await (const _ of turn);
    const { text, toolCalls } = await turn.result();
    messages.push({ role: "assistant", content: text, toolCalls });
    if (toolCalls.length === 0) return text;
    for (const { id, name, arguments: args } of toolCalls) {
      messages.push({ role: "tool", toolCallId: id, name, content: await tools[0].execute(args, { toolCallId: id }) });
    }
  }
}

const conversation = (options) => async () => {
  const run = new ToolConversation({ model, tools, protocol: "hermes", ...options() }).run(question);
  for await (const _ of run);
  return (await run.result()).text;
};

const ways = {
  "generateWithTools, by hand": byHand,
  ToolConversation: conversation(() => ({})),
  "ToolConversation, with a store in memory": conversation(() => ({ store: memoryStore() })),
  "ToolConversation, with every budget": conversation(() => ({
    budget: { steps: 9, calls: 9, tokens: 1e6, seconds: 60, cost: { limit: 1, of: () => 0 } },
  })),
};

for (const [name, way] of Object.entries(ways)) {
  if ((await way()) !== "It is fine in Oslo.") throw new Error(`${name} did not answer.`);
}
const TURNS = 2;
const quick = process.argv.includes("--quick");
// Other load on the machine is larger than the difference: more rounds, of which the fastest counts.
const how = { ...effort(quick), rounds: quick ? 10 : 100 };
const times = await compare(Object.values(ways), how);
const [base] = times;
for (const [i, name] of Object.keys(ways).entries()) {
  const perTurn = times[i] / TURNS;
  const over = i === 0 ? "" : `  + ${((times[i] - base) / TURNS).toFixed(1)} µs`;
  console.log(`${name.padEnd(44)}${perTurn.toFixed(1).padStart(8)} µs a turn${over}`);
}
console.log(`The fastest of ${how.rounds} rounds each. Target: at most 100 µs a turn more than by hand.`);
