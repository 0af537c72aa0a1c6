// What hybrid mode saves: node benchmarks/langchain/selection.mjs (after npm run build)
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { getProtocol } from "@toolingua/core";
import { withToolCalling } from "@toolingua/langchain";
import { getEncoding } from "js-tiktoken";
import { TextModel } from "./models.mjs";

const encoding = getEncoding("o200k_base");
const things = ["weather", "stock", "mail", "event", "song", "taxi", "hotel", "route", "photo", "recipe"];
const verbs = ["get", "list", "create", "update", "delete", "search", "share", "export", "archive", "rate"];
const places = ["", "_for_team"];

/** Tools as applications have them: two sentences, four parameters. */
const all = places.flatMap((place) =>
  verbs.flatMap((verb) =>
    things.map((thing) => ({
      name: `${verb}_${thing}${place}`,
      description: `Lets you ${verb} a ${thing}${place.replaceAll("_", " ")}. Fails when the ${thing} does not exist or the user has no right to ${verb} it.`,
      schema: {
        type: "object",
        properties: {
          id: { type: "string", description: `Identifier of the ${thing}, as list_${thing} gives it` },
          query: { type: "string", description: "What to look for, in the user's words" },
          limit: { type: "integer", minimum: 1, maximum: 100, default: 10, description: "How many at most" },
          format: { type: "string", enum: ["short", "full"], description: "How much to give back" },
        },
        required: ["id"],
      },
    })),
  ),
);

/** Returns scripted answers, and counts the tokens of the requests. */
class Counting extends TextModel {
  sent = 0;

  constructor(replies) {
    super("");
    this.replies = replies;
  }

  async *_streamResponseChunks(messages, ...rest) {
    this.reply = this.replies.shift() ?? "";
    this.sent += messages.reduce((sum, message) => sum + encoding.encode(message.text).length, 0);
    yield* super._streamResponseChunks(messages, ...rest);
  }
}

/** Four turns: three calls with their results, and the answer. */
async function converse(tools, toolSelection) {
  const names = tools.slice(0, 3).map(({ name }) => name);
  const calls = names.map((name) =>
    getProtocol("hermes").renderCalls([{ name, arguments: { id: "a1" } }], { tools: [] }),
  );
  const inner = new Counting([...(toolSelection ? [names.join("\n")] : []), ...calls, "That is all."]);
  const model = withToolCalling(inner, { protocol: "hermes", toolSelection }).bindTools(tools);
  const messages = [new HumanMessage("What is the weather, how do my stocks stand, and is there mail?")];
  for (;;) {
    const reply = await model.invoke(messages);
    messages.push(new AIMessage({ content: reply.text, tool_calls: reply.tool_calls ?? [] }));
    if (!reply.tool_calls?.length) return inner.sent;
    for (const call of reply.tool_calls) messages.push(new ToolMessage({ content: "Fine.", tool_call_id: call.id }));
  }
}

console.log("tools   all shown   selected   saved   (tokens sent in four turns, o200k, the selection's own counted)");
for (const count of [10, 50, 200]) {
  const tools = all.slice(0, count);
  const whole = await converse(tools, undefined);
  const selected = await converse(tools, { from: 1 });
  const saved = `${Math.round((1 - selected / whole) * 100)} %`;
  console.log(
    `${String(count).padStart(5)} ${String(whole).padStart(11)} ${String(selected).padStart(10)} ${saved.padStart(7)}`,
  );
}
