import { type TextModel, toJsonSchema } from "@toolingua/core";
import { type ConversationTool, ToolConversation } from "@toolingua/core/conversation";
import { answerSchema, Desk } from "./scenarios.js";
import { type Outcome, type Setting, written } from "./script.js";

const ANSWER = "answer";

/** The core's own loop. */
export async function runOnConversation(setting: Setting): Promise<Outcome> {
  const { scenario, protocol, stream } = setting;
  const { mustCall, structured } = scenario;
  const desk = new Desk();
  const replies = written(setting, ANSWER);
  const requests: string[] = [];
  const model: TextModel = async function* ({ messages }) {
    requests.push(messages.map(({ content }) => content).join("\n"));
    for (const character of replies[requests.length - 1] ?? "") yield character;
  };
  const answering: ConversationTool = {
    name: ANSWER,
    parameters: toJsonSchema(answerSchema),
    resultAsAnswer: true,
    execute: (args) => args,
  };
  const conversation = new ToolConversation({
    ...{ model, protocol, prefill: false },
    tools: [...desk.toToolList(), ...(structured ? [answering] : [])],
    toolChoice: mustCall ? { name: mustCall } : structured ? "required" : "auto",
  });
  const run = conversation.run("Go.");
  if (stream) for await (const event of run) void event;
  const { text, stopReason } = await run.result();
  return { runs: desk.runs, answer: stopReason === "stop-tool" ? JSON.parse(text) : text, requests };
}
