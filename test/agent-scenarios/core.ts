import { type ChatMessage, generateWithTools, type TextModel, type Tool, toJsonSchema } from "@toolingua/core";
import { answerSchema, Desk } from "./scenarios.js";
import { type Outcome, type Setting, written } from "./script.js";

const ANSWER = "answer";

/** A loop over `generateWithTools`, as small as one can be. */
export async function runOnCore(setting: Setting): Promise<Outcome> {
  const { scenario, protocol, stream } = setting;
  const desk = new Desk();
  const replies = written(setting, ANSWER);
  const requests: string[] = [];
  const model: TextModel = async function* ({ messages }) {
    requests.push(messages.map(({ content }) => content).join("\n"));
    for (const sign of replies[requests.length - 1] ?? "") yield sign;
  };
  const answering: Tool = { name: ANSWER, parameters: toJsonSchema(answerSchema), execute: (args) => args };
  const tools: Tool[] = [...desk.toToolList(), ...(scenario.structured ? [answering] : [])];
  const messages: ChatMessage[] = [{ role: "user", content: "Go." }];
  for (;;) {
    const mustCall = messages.length === 1 && scenario.mustCall;
    const toolChoice = mustCall ? { name: mustCall } : scenario.structured ? "required" : "auto";
    const turn = generateWithTools({
      model,
      messages,
      tools,
      protocol,
      toolChoice,
      onInvalidCall: "retry",
      prefill: false,
    });
    if (stream) for await (const event of turn) void event;
    const { text, toolCalls } = await turn.result();
    messages.push({ role: "assistant", content: text, toolCalls });
    const answer = toolCalls.find(({ name }) => name === ANSWER);
    if (answer) return { runs: desk.runs, answer: answer.arguments, requests };
    if (toolCalls.length === 0) return { runs: desk.runs, answer: text, requests };
    for (const { id, name, arguments: args } of toolCalls) {
      const result: unknown = await tools.find((tool) => tool.name === name)?.execute(args, { toolCallId: id });
      const isError = result instanceof Error;
      const content = isError ? result.message : typeof result === "string" ? result : JSON.stringify(result);
      messages.push({ role: "tool", toolCallId: id, name, content, isError });
    }
  }
}
