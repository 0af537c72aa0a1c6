import { toLangChainTools, withToolCalling } from "@toolingua/langchain";
import { createAgent, createMiddleware, HumanMessage, toolStrategy } from "langchain";
import { ScriptedTextModel } from "../../packages/langchain/test/scripted-text-model.js";
import { answerSchema, Desk } from "./scenarios.js";
import { type Outcome, type Setting, written } from "./script.js";

/** LangChain's `createAgent`. */
export async function runOnLangChain(setting: Setting): Promise<Outcome> {
  const { scenario, protocol, stream } = setting;
  const desk = new Desk();
  const inner = new ScriptedTextModel({ replies: written(setting, "answer") });
  const { mustCall } = scenario;
  const firstTurn = createMiddleware({
    name: "FirstTurn",
    wrapModelCall: (request, handler) => {
      const toolChoice =
        mustCall && request.messages.length === 1
          ? { type: "function" as const, function: { name: mustCall } }
          : undefined;
      return handler({ ...request, ...(toolChoice && { toolChoice }) });
    },
  });
  const agent = createAgent({
    model: withToolCalling(inner, { protocol }),
    tools: toLangChainTools(desk),
    middleware: [firstTurn],
    ...(scenario.structured && { responseFormat: toolStrategy(answerSchema) }),
  });
  const input = { messages: [new HumanMessage("Go.")] };
  let state: { messages: { text: string }[]; structuredResponse?: unknown } | undefined;
  try {
    if (stream)
      for await (const next of await agent.stream(input, { streamMode: "values" })) state = next as typeof state;
    else state = (await agent.invoke(input)) as typeof state;
  } catch (error) {
    // The limit of steps is how an agent of LangChain ends that would not end by itself.
    if (!(error instanceof Error) || error.name !== "GraphRecursionError") throw error;
    state = { messages: [{ text: error.name }] };
  }
  return {
    runs: desk.runs,
    answer: scenario.structured ? state?.structuredResponse : state?.messages.at(-1)?.text,
    requests: inner.requests.map((messages) => messages.map(({ text }) => text).join("\n")),
  };
}
