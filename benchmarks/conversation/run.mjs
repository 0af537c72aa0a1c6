// npm run bench -- conversation [--quick]: what ToolConversation costs a turn, over the same turns through generateWithTools;
// and what a turn costs after long results whose text must be escaped, over results of plain text.

import { compare, effort } from "@toolingua/benchmark-timing";
import { print } from "@toolingua/benchmark-timing/results.mjs";
import { estimate } from "@toolingua/benchmark-timing/spread.mjs";
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

async function* oneCall() {
  yield call;
}

/** A turn with a call, after 100 results of this text. */
function afterResults(text) {
  const results = Array.from({ length: 100 }, (_, i) => [
    { role: "assistant", content: "", toolCalls: [{ id: `c${i}`, name: "weather", arguments: { city: "Oslo" } }] },
    { role: "tool", toolCallId: `c${i}`, name: "weather", content: `${text}${i}` },
  ]);
  const messages = [{ role: "user", content: question }, ...results.flat()];
  return async () => {
    const { toolCalls } = await generateWithTools({ model: oneCall, messages, tools, protocol: "hermes" }).result();
    if (toolCalls.length !== 1) throw new Error("No call.");
  };
}
const afterPlain = afterResults("The weather is fine in Oslo and it rains in Rome. ".repeat(80));
const afterHtml = afterResults('<div class="a"><p>Fine</p><a href="x">Oslo</a></div>'.repeat(80));

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
const [plain, html] = await compare([afterPlain, afterHtml], { ...effort(quick), rounds: 10 });
const rows = Object.keys(ways).flatMap((what, i) => [
  { what, ...estimate([times[i]], (time) => time / TURNS), unit: "µs a turn" },
  ...(i === 0
    ? []
    : [
        {
          what,
          ...estimate([times[i], base], (own, alone) => (own - alone) / TURNS),
          ...{ unit: "µs a turn more", against: "by hand", most: 100 },
        },
      ]),
]);
const what = "after 100 results of 4,000 characters";
rows.push({ what: `${what} of plain text`, ...estimate([plain], (time) => time), unit: "µs a turn" });
rows.push({
  what: `${what} of HTML`,
  ...estimate([html, plain], (own, other) => own / other),
  ...{ unit: "of the time", against: "plain text" },
});
print(rows, () => `the fastest of ${how.rounds} rounds each`);
